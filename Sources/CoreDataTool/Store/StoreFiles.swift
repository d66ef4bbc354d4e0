package import CoreData
package import CoreDataSQLite
import Foundation

/// The files of a SQLite store (sqlite-store §1, §6).
package struct StoreFiles {
    package let database: URL

    package init(_ database: URL) {
        self.database = database
    }

    package var log: URL { URL(fileURLWithPath: database.path + "-wal") }

    /// The files of the store: the database, its logs, and the folder of large values.
    package var all: [URL] {
        ["", "-wal", "-journal"].map { URL(fileURLWithPath: database.path + $0) } + [support]
    }

    /// Throws a `ToolError` if there is already a file at a path that a new store needs, since it may belong
    /// to another store.
    static func requireNone(at location: URL, _ type: StoreConversion.Target = .sqlite) throws {
        guard location.isFileURL else {
            if try hasStore(at: location) { throw isThere(location) }
            return
        }
        try StoreDraft.removeLeftovers(ofType: type.storeType, at: location)
        // Only a database has files beside it.
        let files = type == .sqlite ? StoreFiles(location).all : [location]
        for file in files where FileManager.default.fileExists(atPath: file.path) { throw isThere(file) }
    }

    /// Returns whether there is a file, or a store in a database on a server.
    static func hasStore(at location: URL) throws -> Bool {
        guard !location.isFileURL else { return FileManager.default.fileExists(atPath: location.path) }
        do {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: location)
            return true
        } catch CocoaError.fileReadNoSuchFile {
            return false
        }
    }

    /// Moves a new store to its place; throws a `ToolError` if a file has appeared there meanwhile.
    static func publish(_ draft: StoreDraft, at location: URL) throws {
        guard try draft.publishIfFree() else { throw isThere(location) }
    }

    private static func isThere(_ file: URL) -> ToolError {
        ToolError("\(file.place) is there already: name a path where nothing is")
    }

    /// The folder beside the database for values that do not fit into rows.
    package var support: URL {
        URL(fileURLWithPath: SQLiteStores.supportFolder(of: database.path))
    }

    /// The folder of large values.
    package var externalData: ExternalFolder { ExternalFolder(ofStoreAt: database.path) }

    /// Returns the names of the files of large values, with their sizes in bytes.
    package func externalFiles() -> [(name: String, size: Int64)] { externalData.files() }

    /// Returns the size in bytes; 0 if there is no plain file.
    package static func size(of file: URL) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return 0 }
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
}
