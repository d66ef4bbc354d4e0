import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import Foundation

/// The names of external files that a piece of work writes or lets go of, in a file beside theirs as long as
/// the work lasts. A note that nobody claims is of a process that died.
struct PendingFiles {
    private static let prefix = "pending-"

    private let claim: Claim

    /// - Parameter store: the path of the store, which may share the folder of its files with another.
    init(of store: String) throws(StoreError) {
        claim = try Claim(.file(permissions: 0o666), named: Self.folder(of: store) + "/" + Self.prefix)
        do throws(StoreError) {
            try add(Self.name(of: store))
        } catch {
            claim.remove()
            throw error
        }
    }

    /// Beside the folder that holds the values, where other software finds nothing it does not expect.
    private static func folder(of store: String) -> String { SQLiteStores.supportFolder(of: store) }

    private static func name(of store: String) -> String { URL(fileURLWithPath: store).lastPathComponent }

    func add(_ name: String) throws(StoreError) { try claim.append(Data((name + "\n").utf8)) }

    /// Removes external files, and the note; if not all can be removed, it stays for the next to open the
    /// store.
    func remove(_ files: some Sequence<String>) {
        if Self.remove(files) { claim.remove() } else { abandon() }
    }

    /// Whether none is left.
    fileprivate static func remove(_ files: some Sequence<String>) -> Bool {
        files.reduce(true) { isDone, file in
            // An empty folder may have taken the place of a file.
            let isGone = unlink(file) == 0 || errno == ENOENT || errno == EISDIR && rmdir(file) == 0
            return isGone && isDone
        }
    }

    /// Leaves it to the next to open the store, who sees which of the files the rows name.
    func abandon() { claim.release() }

    // MARK: What processes that died have left

    /// A note that nobody claims any more.
    struct Abandoned {
        let names: [String]
        private let claim: Claim

        fileprivate init?(_ path: String, of store: String) {
            guard let claim = Claim.abandoned(at: path) else { return nil }
            let lines = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n")
                .map(String.init)
            // One that ends before its first line ends names no file either.
            guard lines.isEmpty || lines[0] == PendingFiles.name(of: store) else { return nil }
            self.claim = claim
            names = lines.dropFirst().filter { UUID(uuidString: $0) != nil }
        }

        /// Removes external files, and the note if that succeeds.
        func remove(_ files: some Sequence<String>) {
            if PendingFiles.remove(files) { claim.remove() }
        }
    }

    static func hasAbandoned(of store: String) -> Bool { !notes(of: store).isEmpty }

    static func abandoned(of store: String) -> [Abandoned] {
        notes(of: store).compactMap { Abandoned($0, of: store) }
    }

    private static func notes(of store: String) -> [String] {
        let folder = folder(of: store)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.map { folder + "/" + $0 }
    }
}

extension SQLiteConnection {
    /// Removes the files of transactions that never ended: those that they noted and no row names. The write
    /// lock, which keeps other transactions from being under way, is waited for.
    func removeOrphanedFiles(_ schema: StoreSchema) throws(SQLError) {
        guard PendingFiles.hasAbandoned(of: path) else { return }
        try begin(.immediate)
        defer { rollback() }
        for note in PendingFiles.abandoned(of: path) {
            var orphans: [String] = []
            for name in note.names where try !isNamed(name, schema) {
                orphans.append(externalFiles.path(name))
            }
            note.remove(orphans)
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
