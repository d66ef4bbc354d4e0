internal import CoreData
package import Foundation
internal import CoreDataSyncCore

/// The file of a ledger: a Core Data store of its own beside the app's, so that nothing of the app's file,
/// model or history changes.
package final class LedgerFile: Sendable {
    private let context: NSManagedObjectContext
    private let lock: LedgerLock
    /// The bytes of large values on their way.
    let blobs: BlobFolder

    /// How many rows are found by one fetch.
    private static let portion = 400

    /// Returns the place of the ledger of a store: `Library.sqlite` has `Library.sync.sqlite`.
    package static func url(beside store: URL) -> URL {
        store.deletingPathExtension().appendingPathExtension("sync").appendingPathExtension("sqlite")
    }

    /// Opens a ledger's file, and makes it if there is none.
    ///
    /// - Parameter isDurable: Whether each step is on the disk before the next one begins. Without it a loss
    ///   of power, not the end of a process, may take the last steps away.
    /// - Throws: `StoreSyncError.busy` if another process or another synchronizer has the ledger open, or the
    ///   error with which the store does not open.
    package init(at url: URL, isDurable: Bool = true) throws {
        blobs = BlobFolder(beside: url)
        lock = try LedgerLock(at: url.appendingPathExtension("lock"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LedgerModel.make())
        let pragmas = ["synchronous": isDurable ? "FULL" : "NORMAL"] as NSDictionary
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: pragmas])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
    }

    /// Closes the file before the lock is given back. A block of the context that was just performed may hold it for
    /// a moment longer.
    deinit {
        guard let coordinator = context.persistentStoreCoordinator else { return }
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// Reads all rows.
    package func read() async throws -> LedgerRows {
        try await context.perform { [context] in try Self.rows(in: context) }
    }

    /// Reads all rows of a ledger that a synchronizer may have open, as they are at one moment.
    package static func rows(at url: URL) throws -> LedgerRows {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LedgerModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let found = Result {
            try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                return try rows(in: context)
            }
        }
        try coordinator.remove(store)
        return try found.get()
    }

    /// Removes a ledger with its large values. The store that it is about stays as it is.
    ///
    /// - Throws: `StoreSyncError.busy` if a synchronizer has it open.
    package static func remove(at url: URL) throws {
        let lock = try LedgerLock(at: url.appendingPathExtension("lock"))
        defer { withExtendedLifetime(lock) {} }
        let files =
            ["", "-wal", "-shm"].map { URL(fileURLWithPath: url.path + $0) } + [BlobFolder(beside: url).url]
        for file in files where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }

    private static func rows(in context: NSManagedObjectContext) throws -> LedgerRows {
        var rows = LedgerRows()
        for table in LedgerTable.allCases {
            let request = NSFetchRequest<NSDictionary>(entityName: table.rawValue)
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = [LedgerModel.key, LedgerModel.bytes]
            for row in try context.fetch(request) {
                guard let key = row[LedgerModel.key] as? Data, let bytes = row[LedgerModel.bytes] as? Data
                else { continue }
                rows.set(Array(bytes), table, Array(key))
            }
        }
        return rows
    }

    /// Writes rows in one transaction: all of them or none.
    package func write(_ rows: LedgerRows) async throws {
        guard !rows.isEmpty else { return }
        try await context.perform { [context] in
            defer { context.reset() }
            for (table, changes) in rows.tables { try Self.write(changes, table, in: context) }
            try context.save()
        }
    }

    /// Deletes all rows.
    package func erase() async throws {
        try await context.perform { [context] in
            defer { context.reset() }
            for table in LedgerTable.allCases {
                for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: table.rawValue)) {
                    context.delete(object)
                }
            }
            try context.save()
        }
    }

    private static func write(
        _ changes: [[UInt8]: LedgerRows.Change], _ table: LedgerTable, in context: NSManagedObjectContext
    ) throws {
        guard let entity = NSEntityDescription.entity(forEntityName: table.rawValue, in: context) else {
            return
        }
        let known = changes.compactMap { $0.value.isNew ? nil : Data($0.key) }
        var present: [Data: NSManagedObject] = [:]
        for start in stride(from: 0, to: known.count, by: portion) {
            let request = NSFetchRequest<NSManagedObject>(entityName: table.rawValue)
            let some = known[start..<min(start + portion, known.count)]
            request.predicate = NSPredicate(format: "%K IN %@", LedgerModel.key, some.map { $0 as NSData })
            for object in try context.fetch(request) {
                guard let key = object.value(forKey: LedgerModel.key) as? Data else { continue }
                present[key] = object
            }
        }
        for (key, change) in changes {
            let data = Data(key)
            let old = change.isNew ? nil : present[data]
            guard let bytes = change.bytes else {
                if let old { context.delete(old) }
                continue
            }
            let object = old ?? NSManagedObject(entity: entity, insertInto: context)
            if old == nil { object.setValue(data, forKey: LedgerModel.key) }
            object.setValue(Data(bytes), forKey: LedgerModel.bytes)
        }
    }
}
