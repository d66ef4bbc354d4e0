import Foundation
import Synchronization

/// A store in files of a format that the framework reads.
protocol FileBasedStore: NSPersistentStore {
    /// Returns whether a file is of the class's format.
    static func canRead(_ url: URL) -> Bool
}

extension NSPersistentStore {
    /// Whether the framework reads stores of the class at places where other programs may change them: in
    /// files, and in databases on servers.
    static var isShared: Bool { self is any FileBasedStore.Type || isOnServer }

    static var isOnServer: Bool { self is DatabaseStore.Type && !(self is any FileBasedStore.Type) }
}

extension URL {
    /// Whether the URL is that of a PostgreSQL database.
    var namesPostgreSQL: Bool { scheme == "postgresql" || scheme == "postgres" }

    /// Whether there can be a store: false if it is the URL of a file and there is none.
    var mayHaveStore: Bool { !isFileURL || FileManager.default.fileExists(atPath: path) }
}

/// The classes of stores by type: the framework's own, and those that apps register.
enum StoreTypes {
    private static let known = Mutex<[String: NSPersistentStore.Type]>([
        NSSQLiteStoreType: SQLiteStore.self, NSInMemoryStoreType: MemoryStore.self,
        NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self,
        PostgreSQLStoreType: PostgreSQLStore.self,
    ])

    static var all: [String: NSPersistentStore.Type] { known.withLock { $0 } }

    /// Registers the class of a type; nil removes the type.
    static func register(_ storeClass: AnyClass?, as type: String) {
        guard let storeClass else { return known.withLock { $0[type] = nil } }
        guard let storeClass = storeClass as? NSPersistentStore.Type else {
            programmerError(
                "\(storeClass) cannot be registered for the store type \"\(type)\": it is no NSPersistentStore."
            )
        }
        known.withLock { $0[type] = storeClass }
    }

    static func storeClass(_ type: String) throws -> NSPersistentStore.Type {
        let all = all
        if let found = all[type] { return found }
        throw CoreDataError.error(
            NSPersistentStoreInvalidTypeError,
            reason: "There is no class for stores of type \"\(type)\"; known are \(all.keys.sorted()).")
    }

    /// Returns the class of the database that a URL names.
    static func databaseClass(at url: URL) -> DatabaseStore.Type {
        url.namesPostgreSQL ? PostgreSQLStore.self : SQLiteStore.self
    }

    /// Returns the class of the store at a URL: by the database, or by the format of the file. For a file of
    /// an unknown format it is the SQLite class, whose error says what the file is.
    ///
    /// SQLite's class checks the file first: no other code may open the file of a SQLite store.
    static func storeClass(at url: URL) -> NSPersistentStore.Type {
        let database = databaseClass(at: url)
        guard database == SQLiteStore.self else { return database }
        let classes: [any FileBasedStore.Type] = [SQLiteStore.self, XMLStore.self, BinaryStore.self]
        return classes.first { $0.canRead(url) } ?? database
    }
}
