import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import Foundation

/// A note of the external files that an operation writes or releases: a file that contains their names,
/// beside their folder, and exists while the operation runs. A note that is not locked was left by a process
/// that died.
struct PendingFiles {
    private static let prefix = "pending-"

    private let folder: ExternalFolder
    private let claim: Claim

    /// Makes a note.
    ///
    /// - Parameter store: The path of the store. The note names it, since two stores may share a folder.
    init(of store: String) throws(StoreError) {
        folder = ExternalFolder(ofStoreAt: store)
        claim = try folder.makeNote(named: Self.prefix)
        do throws(StoreError) {
            try add(Self.name(of: store))
        } catch {
            claim.remove()
            throw error
        }
    }

    private static func name(of store: String) -> String { URL(fileURLWithPath: store).lastPathComponent }

    func add(_ name: String) throws(StoreError) { try claim.append(Data((name + "\n").utf8)) }

    /// Removes external files, and then the note. If a file cannot be removed, the note stays for the next
    /// process to open the store.
    func remove(_ files: some Sequence<String>) {
        if folder.remove(files) { claim.remove() } else { abandon() }
    }

    /// Leaves the note to the next process to open the store, which finds out which of the files the rows
    /// name.
    func abandon() { claim.release() }

    // MARK: Notes of dead processes

    /// A note that a dead process left.
    struct Abandoned {
        let names: [String]
        private let folder: ExternalFolder
        private let claim: Claim

        fileprivate init?(_ path: String, of store: String, _ folder: ExternalFolder) {
            guard let claim = Claim.abandoned(at: path),
                let content = try? PlainFile.contents(of: claim.descriptor)
            else { return nil }
            // A note whose first line is incomplete names no files, so it may belong to any store.
            let first = content.prefix { $0 != UInt8(ascii: "\n") }
            let isBegun = first.count < content.count
            guard !isBegun || String(decoding: first, as: UTF8.self) == PendingFiles.name(of: store) else {
                return nil
            }
            self.claim = claim
            self.folder = folder
            names = PendingFiles.names(in: content)
        }

        /// Removes external files that no row names, except those of running operations, since rows may name
        /// these soon. Removes the note if that succeeds.
        func remove(_ files: [String], except inWork: Set<String>) {
            let isDone = folder.remove(files.filter { !inWork.contains($0) })
            if isDone, inWork.isDisjoint(with: files) { claim.remove() }
        }
    }

    // MARK: Running operations

    /// Returns the names in the notes of operations that are running.
    ///
    /// - Parameters:
    ///   - store: The path of the store.
    ///   - own: A note to leave out.
    static func namesInWork(of store: String, except own: PendingFiles? = nil) -> Set<String> {
        var names: Set<String> = []
        for path in ExternalFolder(ofStoreAt: store).notes(named: prefix) where path != own?.claim.path {
            guard Claim.abandoned(at: path) == nil, let content = try? PlainFile.contents(at: path) else {
                continue
            }
            names.formUnion(Self.names(in: content))
        }
        return names
    }

    private static func names(in content: Data) -> [String] {
        String(decoding: content, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
            .filter { UUID(uuidString: $0) != nil }
    }

    /// Returns whether there are any notes. It takes no lock, unlike `abandoned(of:)`.
    static func hasAbandoned(of store: String) -> Bool {
        !ExternalFolder(ofStoreAt: store).notes(named: prefix).isEmpty
    }

    static func abandoned(of store: String) -> [Abandoned] {
        let folder = ExternalFolder(ofStoreAt: store)
        return folder.notes(named: prefix).compactMap { Abandoned($0, of: store, folder) }
    }
}

extension SQLiteConnection {
    /// Removes the files of interrupted transactions: those that are noted and that no row names. Waits for
    /// the write lock, so that no transaction can be running.
    func removeOrphanedFiles(_ schema: StoreSchema) throws(SQLError) {
        guard PendingFiles.hasAbandoned(of: path) else { return }
        try begin(.immediate)
        defer { rollback() }
        let inWork = PendingFiles.namesInWork(of: path)
        for note in PendingFiles.abandoned(of: path) {
            var orphans: [String] = []
            for name in note.names where try !isNamed(name, schema) { orphans.append(name) }
            note.remove(orphans, except: inWork)
        }
    }

    private func isNamed(_ name: String, _ schema: StoreSchema) throws(SQLError) -> Bool {
        for table in schema.entities.compactMap({ $0 }) {
            for slot in schema.model[table.entity].columns {
                guard slot.attribute?.allowsExternalStorage ?? false, let column = slot.column else {
                    continue
                }
                let statement = try statement(
                    "SELECT 1 FROM \(table.tableName) WHERE \(table.columns[column].name) = ? LIMIT 1")
                defer { statement.reset() }
                try statement.bind([.blob(ExternalFiles.reference(to: name))])
                if try statement.step() { return true }
            }
        }
        return false
    }
}
