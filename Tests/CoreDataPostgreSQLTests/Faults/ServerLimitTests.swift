import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Testing

@Suite("Limits of the server of a PostgreSQL store", .needsServer)
struct ServerLimitTests {
    @Test("Fifty contexts share two connections, also while a third has a query generation")
    func pool() throws {
        let store = try FaultStore(options: [NSPersistentStoreConnectionPoolMaxSizeKey: 1 as NSNumber])
        try store.save(0)
        let pinned = store.context()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            #expect(try pinned.count(for: request) == 1)
        }
        let work = (1...50).map { (number: Int64) in
            Work {
                try store.save(number)
                let found = try store.fetch()
                #expect(found.contains(number))
            }
        }
        for one in work { try one.finish() }
        try store.checkAcknowledged()
        #expect(try store.stored() == Array(0...50))
        let count = try pinned.performAndWait { try pinned.count(for: request) }
        #expect(count == 1)
    }

    @Test("A save that waits too long for another transaction fails, and its context can save later")
    func lockTimeout() throws {
        let store = try FaultStore(options: [NSPersistentStoreTimeoutOption: 0.1 as NSNumber])
        let context = store.context()
        try context.performAndWait {
            let item = store.insert(1, in: context)
            try context.save()
            item.setValue(2, forKey: "number")
            try store.observer.begin()
            try store.observer.run("SELECT 1 FROM zitem FOR UPDATE")
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.code == NSPersistentStoreTimeoutError)
            #expect(context.updatedObjects == [item])
            store.observer.rollback()
            try context.save()
        }
        #expect(try store.stored() == [2])
    }

    /// The disk is not full: the server's answer is.
    @Test(
        "A server without space, memory or time fails a save with an error, after which its context can save",
        arguments: [
            ("53100", CocoaError.Code.fileWriteOutOfSpace.rawValue), ("53200", NSSQLiteError),
            ("57014", NSPersistentStoreTimeoutError),
        ])
    func resources(_ state: String, _ code: Int) throws {
        let store = try FaultStore()
        try store.failInserts(1, state)
        let context = store.context()
        try context.performAndWait {
            store.insert(1, in: context)
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.code == code)
            #expect(context.hasChanges)
            try context.save()
        }
        #expect(try store.stored() == [1])
    }

    @Test("A store whose server has one connection for it uses that one")
    func oneConnection() throws {
        let role = SQLIdentifier("z_limited_\(UUID().uuidString.lowercased())")
        let admin = try FaultStore.observer()
        try admin.execute("CREATE ROLE \(role) LOGIN; GRANT CREATE ON DATABASE postgres TO \(role)")
        defer { try? admin.execute("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)") }
        let store = try FaultStore("user=\(role.name)")
        try store.save(1)
        try admin.execute("ALTER ROLE \(role) CONNECTION LIMIT 1")
        try store.endSessions()
        let holder = try FaultStore.observer(store.schema)
        try holder.begin()
        try holder.execute("LOCK TABLE zitem")
        let fetch = { @Sendable in
            let found = try store.fetch()
            #expect(found == [1])
        }
        let first = Work(fetch)
        _ = try store.waitingProcess()
        // It finds no connection, and waits for that of the other one.
        let second = Work(fetch)
        holder.rollback()
        try first.finish()
        try second.finish()
    }
}
