import Foundation
import Synchronization

/// A store in files of a format that this framework reads.
protocol FileBasedStore: NSPersistentStore {
    /// Whether files of the class begin like this one.
    static func canRead(_ start: Data) -> Bool
    static func readMetadata(at url: URL) throws -> [String: Any]
    static func writeMetadata(_ metadata: [String: Any], at url: URL) throws
}

/// The classes of stores, by type: the framework's own, and those that apps register.
enum StoreTypes {
    private static let known = Mutex<[String: NSPersistentStore.Type]>([
        NSSQLiteStoreType: SQLiteStore.self, NSInMemoryStoreType: MemoryStore.self,
        NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self,
    ])

    static var all: [String: NSPersistentStore.Type] { known.withLock { $0 } }

    /// Nil takes a type away.
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

    /// The class whose files begin like the one at the URL; SQLite's for any other, whose error says what it is.
    static func fileClass(at url: URL) throws -> any FileBasedStore.Type {
        guard let file = try? FileHandle(forReadingFrom: url) else { return SQLiteStore.self }
        defer { try? file.close() }
        let start = (try? file.read(upToCount: 512)) ?? Data()
        let classes: [any FileBasedStore.Type] = [SQLiteStore.self, XMLStore.self, BinaryStore.self]
        return classes.first { $0.canRead(start) } ?? SQLiteStore.self
    }
}
