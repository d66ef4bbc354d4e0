import CoreDataSQLite
import CoreDataTool
import Foundation

/// The copy of a store beside it, made before the first save.
struct StoreBackup: Sendable {
    private let store: URL

    /// Nil for a store that is not in files: a server has backups of its own.
    init?(_ store: URL) {
        guard store.isFileURL else { return nil }
        self.store = store
    }

    /// Copies the store's files and returns the place of the copy.
    func make(at date: Date = Date()) throws -> URL {
        let base = store.deletingPathExtension().lastPathComponent
        let time =
            (DateCoding.text(
                of: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
            ?? "")
            .replacingOccurrences(of: ":", with: "-")
        let folder = store.deletingLastPathComponent()
        for number in 1...100 {
            let name = "\(base) before \(time)\(number > 1 ? " \(number)" : "").\(store.pathExtension)"
            let target = folder.appendingPathComponent(name)
            guard !FileManager.default.fileExists(atPath: target.path) else { continue }
            if try SQLiteStores.isDatabase(store) {
                try SQLiteStores.copy(from: store.path, to: target.path)
            } else {
                try FileManager.default.copyItem(at: store, to: target)
            }
            return target
        }
        throw ToolError("\(store.path) cannot be copied: there are a hundred copies of this second")
    }
}

extension SQLiteStores {
    fileprivate static func isDatabase(_ file: URL) throws -> Bool {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return try handle.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
    }
}
