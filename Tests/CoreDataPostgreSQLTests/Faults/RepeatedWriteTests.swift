import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import Foundation
import Testing

@Suite("Writes to a PostgreSQL store that the server breaks off", .needsServer)
struct RepeatedWriteTests {
    @Test(
        "A save that the server breaks off since others write at the same time is done again, three times",
        arguments: ["40001", "40P01"])
    func forced(state: String) throws {
        let store = try FaultStore()
        try store.failInserts(3, state)
        try store.save(1)
        try store.failInserts(4, state)
        let context = store.context()
        try context.performAndWait {
            store.insert(2, in: context)
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.code == NSPersistentStoreTimeoutError)
            #expect(error.localizedFailureReason?.contains("forced (\(state))") == true)
            #expect(context.insertedObjects.count == 1)
            try context.save()
        }
        #expect(try store.stored() == [1, 2])
        #expect(try store.markCount() == 2)
    }

    @Test("Of two writers that wait for each other, a save that the server breaks off is done again")
    func deadlock() throws {
        // The other session would wait for longer than the test before it looked for a deadlock.
        let store = try FaultStore("options=-c%20deadlock_timeout%3D10ms")
        let other = try FaultStore.observer(store.schema)
        try other.execute("SET deadlock_timeout = '1h'")
        let context = store.context()
        try context.performAndWait {
            for number in 1...2 as ClosedRange<Int64> { store.insert(number, in: context) }
            try context.save()
            for item in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) {
                item.setValue(7, forKey: "number")
            }
        }
        // A save holds its first row and stops, until the lock is free.
        try store.observer.execute(
            """
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            PERFORM pg_advisory_xact_lock(hashtext(current_schema)); RETURN NEW; END $$; \
            CREATE TRIGGER pause BEFORE UPDATE ON zitem FOR EACH ROW EXECUTE FUNCTION pause(); \
            SELECT pg_advisory_lock(hashtext(current_schema))
            """)
        let save = Work { try context.performAndWait { try context.save() } }
        _ = try store.waitingProcess()
        try other.begin()
        #expect(try other.run("SELECT z_pk FROM zitem FOR UPDATE SKIP LOCKED") == 1)
        let wait = Work {
            let count = try other.run("SELECT z_pk FROM zitem FOR UPDATE")
            #expect(count == 2)
            other.rollback()
        }
        let isWaiting: SQLText = "SELECT 1 FROM pg_stat_activity WHERE pid = ? AND wait_event_type = 'Lock'"
        while try store.observer.run(isWaiting, ParameterList(Int32(other.processID))) == 0 {}
        try store.observer.execute("SELECT pg_advisory_unlock(hashtext(current_schema))")
        try wait.finish()
        try save.finish()
        #expect(try store.stored() == [7, 7])
    }

    @Test("Batches and the pruning of history that the server breaks off are done again")
    func batches() throws {
        let store = try FaultStore(options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        try store.save(1)
        // Deletions of history, and changes of items by a batch.
        try store.observer.execute(
            """
            CREATE SEQUENCE breaks; CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
            IF nextval('breaks') % 3 <> 0 THEN RAISE EXCEPTION 'forced' USING ERRCODE = '40P01'; END IF; \
            RETURN NULL; END $$; \
            CREATE TRIGGER break AFTER UPDATE OR DELETE ON zitem EXECUTE FUNCTION break(); \
            CREATE TRIGGER break AFTER DELETE ON atransaction EXECUTE FUNCTION break()
            """)
        let context = store.context()
        try context.performAndWait {
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = ["number": 2]
            try context.execute(update)
            #expect(try store.stored() == [2])
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Item")))
            #expect(try store.stored() == [])
            // What a transaction in progress may precede would stay.
            try store.observer.waitForOthers()
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
        #expect(try store.observer.run("SELECT 1 FROM atransaction") == 0)
    }

    @Test("The rows of a batch insertion are asked for once: broken off, it fails and nothing is inserted")
    func batchInsertion() throws {
        let store = try FaultStore()
        try store.failInserts(1, "40P01")
        let context = store.context()
        try context.performAndWait {
            var count: Int64 = 0
            let request = NSBatchInsertRequest(entityName: "Item") { (row: NSMutableDictionary) in
                count += 1
                row["number"] = count
                return count == 4
            }
            let error = try #require(throws: NSError.self) { try context.execute(request) }
            #expect(error.code == NSPersistentStoreTimeoutError)
            #expect(try store.stored() == [])
            count = 0
            try context.execute(request)
        }
        #expect(try store.stored() == [1, 2, 3])
    }

    @Test("A save to a server that has become a replica is done again on another connection")
    func demoted() throws {
        let store = try FaultStore()
        try store.save(1)
        try store.failInserts(2, "25006")
        try store.save(2)
        try store.checkAcknowledged()
    }

    @Test(
        "While no server writes, a save waits as long as the store does, and then says that nothing was saved"
    )
    func readOnly() throws {
        let role = SQLIdentifier("z_reading_\(UUID().uuidString.lowercased())")
        let admin = try FaultStore.observer()
        try admin.execute("CREATE ROLE \(role) SUPERUSER LOGIN")
        defer { try? admin.execute("DROP OWNED BY \(role) CASCADE; DROP ROLE \(role)") }
        let store = try FaultStore(
            "user=\(role.name)", options: [NSPersistentStoreTimeoutOption: 0.2 as NSNumber])
        try store.save(1)
        try admin.execute("ALTER ROLE \(role) SET default_transaction_read_only = on")
        try store.failInserts(1, "25006")
        let error = try #require(throws: NSError.self) { try store.save(2) }
        #expect(error.code == CocoaError.Code.fileWriteNoPermission.rawValue)
        #expect(try store.stored() == [1])
        try admin.execute("ALTER ROLE \(role) RESET default_transaction_read_only")
        try store.save(3)
        try store.checkAcknowledged()
    }

    @Test("Statements are prepared again after another program has changed their tables or the session")
    func definitions() throws {
        let store = try FaultStore(options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        try store.save(1)
        #expect(try store.fetch() == [1])
        try store.observer.execute(
            """
            DROP VIEW item; \
            ALTER TABLE zitem ADD COLUMN remark text, ALTER COLUMN znumber TYPE integer
            """)
        #expect(try store.fetch() == [1])
        try store.save(2)
        // In the middle of the next transaction, all statements are gone.
        try store.onInsert(1, "DEALLOCATE ALL;")
        try store.save(3)
        try store.observer.execute(
            "ALTER TABLE z_saves ALTER COLUMN is_void TYPE boolean, ADD COLUMN remark text")
        try store.save(4)
        try store.checkAcknowledged()
        #expect(try store.fetch() == [1, 2, 3, 4])
    }
}
