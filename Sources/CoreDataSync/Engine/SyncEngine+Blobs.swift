internal import CoreData
package import CoreDataSyncCore
package import Foundation

/// Large values, which travel apart: before the push that names them, and before the import that writes them.
extension SyncEngine {
    /// The bytes of a pushed value, and where they may be found.
    package struct BlobSource: Sendable {
        package let name: BlobHash
        let local: LocalKey?
        let register: String
        let reader: StoreReader

        /// Returns the bytes: those that were kept when the edit was captured, or else those of the store.
        package func bytes() async throws -> Data {
            if let bytes = try reader.blobs.read(name) { return Data(bytes) }
            if let local, let bytes = try await reader.bytes(name, of: register, local) { return Data(bytes) }
            throw BlobFolder.Missing(name: name)
        }
    }

    /// Returns what the server needs before it gets a request.
    package func blobs(of request: SyncRequest) -> [BlobSource] {
        guard case .push(let push) = request else { return [] }
        return push.changes.flatMap { change in
            change.value.blobs.map { name in
                BlobSource(
                    name: name, local: ledger.entry(change.item)?.local, register: change.register ?? "",
                    reader: reader)
            }
        }
    }

    /// Returns the bytes that an import needs and that are not here.
    package func missingBlobs(of effect: SyncEffect) -> Set<BlobHash> {
        guard case .prepareImport(_, let plan) = effect else { return [] }
        let names = plan.rows.flatMap { $0.values.values.flatMap(\.value.blobs) }
        return Set(names).filter { !reader.blobs.has($0) }
    }

    /// Returns what comes of an import if the server does not have all bytes that it needs: the objects wait,
    /// everything else goes on. Nil if all are here.
    package func rejection(of effect: SyncEffect) -> SyncEvent? {
        guard case .prepareImport(let batch, let plan) = effect else { return nil }
        let missing = missingBlobs(of: effect)
        let rows = plan.rows.filter { row in
            row.values.values.contains { !missing.isDisjoint(with: $0.value.blobs) }
        }
        guard !rows.isEmpty else { return nil }
        let reason = "the server does not have the bytes of a value"
        return .importRejected(batch: batch, Dictionary(rows.map { ($0.id, reason) }) { $1 })
    }

    /// Keeps bytes that were received.
    ///
    /// - Throws: `BlobFolder.Missing` if they have another hash; an error of the disk.
    package func keep(_ bytes: Data, as name: BlobHash) throws {
        let bytes = Array(bytes)
        guard BlobHash(of: bytes) == name else { throw BlobFolder.Missing(name: name) }
        try reader.blobs.write(bytes, as: name)
    }

    /// Returns the bytes that the value of an issue needs and that are not here.
    func missingBlobs(of number: UInt64) -> [BlobHash] {
        (value(of: number)?.blobs ?? []).filter { !reader.blobs.has($0) }
    }

    /// Removes bytes that nothing needs any more. They are cheap to keep, so that a failure is no problem.
    func removeUnusedBlobs() {
        try? reader.blobs.removeAll(except: neededBlobs)
    }

    private var neededBlobs: Set<BlobHash> {
        let waiting = ledger.pending.changes + ledger.header.frozen + ledger.header.unread.map(\.change)
        let received = ledger.inbox.items.values.flatMap { $0.state.registers.values.map(\.value) }
        let held = ledger.header.parked.flatMap { id in
            (ledger.entry(.object(id))?.held ?? [:]).map(\.value)
        }
        let issues = ledger.issueNumbers.compactMap { value(of: $0) }
        return Set((waiting.map(\.change.value) + received + held + issues).flatMap(\.blobs))
    }
}

extension StoreReader {
    /// Returns the bytes of a hash in a register of an object; nil if the store does not have them there.
    fileprivate func bytes(
        _ name: BlobHash, of register: String, _ local: LocalKey
    ) async throws -> [UInt8]? {
        let context = access.makeContext()
        return try await context.perform {
            guard let id = binding.objectID(local, in: access),
                let entity = binding.entity(named: id.entity.name),
                let register = entity.registers.first(where: { $0.name == register }),
                let object = try fetch([id], entity, in: context).first
            else { return nil }
            return wholeValue(of: register, object).large(above: BlobFolder.limit)
                .first { BlobHash(of: $0) == name }
        }
    }
}
