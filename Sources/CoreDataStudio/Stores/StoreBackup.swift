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
        let time =
            (DateCoding.text(
                of: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
            ?? "")
            .replacingOccurrences(of: ":", with: "-")
        let target = try store.free(" before \(time)")
        if try SQLiteStores.isDatabase(store) {
            try SQLiteStores.copy(from: store.path, to: target.path)
        } else {
            try FileManager.default.copyItem(at: store, to: target)
        }
        return target
    }
}

extension URL {
    /// Returns a place beside a file that nothing has: its name with an ending, and a number if need be.
    func free(_ ending: String) throws(ToolError) -> URL {
        let base = deletingPathExtension().lastPathComponent
        for number in 1...100 {
            let name = "\(base)\(ending)\(number > 1 ? " \(number)" : "").\(pathExtension)"
            let place = deletingLastPathComponent().appendingPathComponent(name)
            if !FileManager.default.fileExists(atPath: place.path) { return place }
        }
        throw ToolError("\(path) cannot be copied: there are a hundred such copies")
    }
}

extension SQLiteStores {
    fileprivate static func isDatabase(_ file: URL) throws -> Bool {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return try handle.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
    }
}
