import CoreDataSQLite
package import Foundation

/// Where a store's file can be read without leaving a trace on it.
///
/// Mostly the file itself. A database with a log or an index of one that nobody has open (a copy from a phone, a
/// crashed writer) is the exception: whoever opens it there makes the file that is missing, folds the log in, or takes
/// both away. It is copied to a scratch folder, which costs as much space as the database and goes when this object
/// goes.
package final class ReadingPlace {
    package let url: URL
    private let scratch: URL?

    package init(for store: URL) throws {
        guard Self.hasLeftovers(store) else {
            (url, scratch) = (store, nil)
            return
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID())")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Self.copyFiles(of: store, into: folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw ToolError(
                "\(store.path) has a log that nobody has open, and cannot be copied to \(folder.path) to be "
                    + "read: \(error.localizedDescription)")
        }
        url = folder.appendingPathComponent(store.lastPathComponent)
        scratch = folder
        // Nobody writes the files of big values, so that they are read where they are.
        ExternalFolder.lend(of: store.path, to: url.path)
    }

    deinit {
        ExternalFolder.endLoan(to: url.path)
        // What cannot be removed lies in the system's folder for such files.
        if let scratch { try? FileManager.default.removeItem(at: scratch) }
    }

    /// Whether the next to open the file would have to do something to it.
    private static func hasLeftovers(_ store: URL) -> Bool {
        if size(store.path + "-journal") > 0 { return true }
        // Whoever has the database open has made both.
        let files = FileManager.default
        return files.fileExists(atPath: store.path + "-wal") != files.fileExists(atPath: store.path + "-shm")
    }

    private static func size(_ path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// The database and its logs.
    private static func copyFiles(of store: URL, into folder: URL) throws {
        let files = FileManager.default
        for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: store.path + suffix) {
            try files.copyItem(
                atPath: store.resolvingSymlinksInPath().path + suffix,
                toPath: folder.appendingPathComponent(store.lastPathComponent + suffix).path)
        }
    }
}
