package import CoreData
package import CoreDataSyncCore
internal import Foundation

extension SyncEngine {
    package var pendingCount: Int { ledger.pending.changes.count + ledger.header.frozen.count }

    package var schema: SyncSchema { reader.binding.schema }

    /// Returns all objects of the store as they are now.
    package func readStore() async throws -> Capture { try await reader.read(since: nil, nil).capture }

    /// Returns how many objects differ from what the ledger knows.
    package func verifyCount() async throws -> Int {
        let capture = try await reader.read(since: nil, nil).capture
        let present = Set(capture.rows.map(\.local))
        let known = ledger.keys.compactMap { ledger.entry($0)?.local }
        return capture.rows.count { !ledger.shows($0, reader.binding.schema) }
            + known.count { !present.contains($0) }
    }

    /// Has the machine look at the whole store in its next cycle.
    mutating func forgetPosition() async throws { try await change { $0.header.token = nil } }
}

extension StoreSynchronizer {
    /// Returns the sync schema of a model.
    package static func schema(of model: NSManagedObjectModel) throws -> SyncSchema {
        try ModelBinding(model.entities).schema
    }
}

extension TrackedLedger {
    /// Whether the hashes of a ledger are those of an object, and its pairs and members those that it has.
    package func shows(_ row: CapturedRow, _ schema: SyncSchema) -> Bool {
        guard let id = id(of: row.local), let entry = entry(.object(id)),
            let entity = schema.entities[row.entity]
        else { return false }
        for register in entity.values {
            let present: SyncValue? =
                switch row.values[register.name] {
                case nil: .null
                case .plain(let plain): plain
                case .object(let local): self.id(of: local).map { .reference($0) }
                }
            let shown = entry.registers[register.name]?.shown ?? SyncValue.null.stableHash
            if present?.stableHash != shown { return false }
        }
        for (side, partners) in row.partners {
            let known = pairs(of: id).filter { self.entry($0)?.isShown ?? false }.filter { key in
                guard case .pair(side.name, let first, let second) = key else { return false }
                return (side.isFirst ? first : second) == id
            }
            if known.count != partners.count { return false }
        }
        return true
    }
}
