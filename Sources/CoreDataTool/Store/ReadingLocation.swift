import CoreDataSQLite
package import Foundation

/// A location where a store can be read without changing it.
///
/// Usually it is the place of the store itself. The exception is a database whose log, or log index, was left behind by a
/// process that has closed it or ended (as in a copy from a phone, or after a crash). Opening such a database
/// would create the missing file, copy the log into the database, or remove both. It is therefore copied to a
/// temporary folder, which takes as much space as the database and is removed with this object.
package final class ReadingLocation: Sendable {
    package let url: URL
    private let scratch: URL?

    /// Whether it is a copy, which later changes of the store do not reach.
    package var isCopy: Bool { scratch != nil }

    package init(for store: URL) throws {
        guard store.isFileURL, Self.hasLeftovers(store) else {
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
                "\(store.path) has a log that no process has open, and cannot be copied to \(folder.path) to be "
                    + "read: \(error.localizedDescription)")
        }
        url = folder.appendingPathComponent(store.lastPathComponent)
        scratch = folder
        // The files of large values are never written to, so they are read from the original's folder.
        ExternalFolder.lend(of: store.path, to: url.path)
    }

    deinit {
        ExternalFolder.endLoan(to: url.path)
        // A copy that cannot be removed stays in the system's folder for temporary files.
        if let scratch { try? FileManager.default.removeItem(at: scratch) }
    }

    /// Returns whether opening the file would change it or its logs.
    private static func hasLeftovers(_ store: URL) -> Bool {
        if size(store.path + "-journal") > 0 { return true }
        // If both files exist, a process has the database open.
        let files = FileManager.default
        return files.fileExists(atPath: store.path + "-wal") != files.fileExists(atPath: store.path + "-shm")
    }

    private static func size(_ path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Copies the database and its logs.
    private static func copyFiles(of store: URL, into folder: URL) throws {
        let files = FileManager.default
        for suffix in ["", "-wal", "-journal"] where files.fileExists(atPath: store.path + suffix) {
            try files.copyItem(
                atPath: store.resolvingSymlinksInPath().path + suffix,
                toPath: folder.appendingPathComponent(store.lastPathComponent + suffix).path)
        }
    }
}
