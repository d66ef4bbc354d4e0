internal import CoreData
package import Foundation
internal import CoreDataSyncCore

/// The file of a ledger: a Core Data store of its own beside the app's, so that nothing of the app's file,
/// model or history changes.
package final class LedgerFile: Sendable {
    private let coordinator: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext
    private let lock: LedgerLock
    /// The reader of the file's tables. It may outlive the lock.
    let tables: LedgerTables
    /// The bytes of large values on their way.
    let blobs: BlobFolder

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
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: LedgerModel.make())
        let pragmas = ["synchronous": isDurable ? "FULL" : "NORMAL"] as NSDictionary
        // A file of an earlier version gets the tables and keys that it lacks.
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSSQLitePragmasOption: pragmas,
                NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
                NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            ])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        tables = LedgerTables(context: context)
    }

    /// Closes the file before the lock ends, also if something that has read of it is not gone yet.
    deinit {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    /// Reads all rows of some tables.
    package func read(_ names: [LedgerTable] = LedgerTable.allCases) async throws -> LedgerRows {
        try await context.perform { [context, tables] in
            defer { context.reset() }
            return try tables.rows(of: names)
        }
    }

    /// Reads all rows of a ledger that a synchronizer may have open, as they are at one moment.
    package static func rows(at url: URL) throws -> LedgerRows {
        let options = [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: options)
        let model = LedgerModel.makeAll().first {
            $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model ?? LedgerModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let found = Result {
            try context.performAndWait {
                try context.setQueryGenerationFrom(.current)
                let tables = LedgerTable.allCases.filter { $0 != .link }
                return try LedgerTables(context: context).rows(of: tables)
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
        for start in stride(from: 0, to: known.count, by: LedgerTables.portion) {
            let request = NSFetchRequest<NSManagedObject>(entityName: table.rawValue)
            let some = known[start..<min(start + LedgerTables.portion, known.count)]
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
            if table.hasSecondKey {
                let second = change.secondKey.map { Data($0) }
                let present = object.value(forKey: LedgerModel.secondKey) as? Data
                if present != second { object.setValue(second, forKey: LedgerModel.secondKey) }
            }
        }
    }
}
