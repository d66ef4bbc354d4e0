import CoreDataModelFormat
import CoreDataSQL
import Foundation

/// The names of external files that a transaction writes or lets go of, in a file beside theirs as long as the transaction
/// lasts. A note that outlives its transaction is of a process that died.
struct PendingFiles {
    private static let prefix = "pending-"

    private let url: URL
    private let file: FileHandle

    init(of directory: String) throws {
        url = Self.folder(of: directory).appendingPathComponent(Self.prefix + UUID().uuidString)
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        file = try FileHandle(forWritingTo: url)
    }

    /// Beside the folder that holds the values, where other software finds nothing it does not expect.
    private static func folder(of directory: String) -> URL {
        URL(fileURLWithPath: directory).deletingLastPathComponent()
    }

    func add(_ name: String) throws { try file.write(contentsOf: Data((name + "\n").utf8)) }

    func remove() {
        try? file.close()
        try? FileManager.default.removeItem(at: url)
    }

    /// The notes that are there.
    static func notes(of directory: String) -> [URL] {
        let folder = folder(of: directory)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.map(folder.appendingPathComponent)
    }
}

extension SQLiteConnection {
    /// Removes the files of transactions that never ended: those that they noted and no row names. The write lock, which
    /// keeps other transactions from being under way, is waited for.
    func removeOrphanedFiles(_ schema: StoreSchema) throws(SQLError) {
        let notes = PendingFiles.notes(of: externalFiles.directory)
        if notes.isEmpty { return }
        try begin(.immediate)
        defer { rollback() }
        for note in notes {
            let names = (try? String(contentsOf: note, encoding: .utf8)) ?? ""
            for name in names.split(separator: "\n").map(String.init) where UUID(uuidString: name) != nil {
                if try !isNamed(name, schema) {
                    try? FileManager.default.removeItem(atPath: externalFiles.directory + "/" + name)
                }
            }
            try? FileManager.default.removeItem(at: note)
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
