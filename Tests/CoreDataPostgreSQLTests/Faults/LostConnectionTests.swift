import CoreData
import CoreDataLibpq
import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import CoreDataPostgreSQL

@Suite("Lost connections to a PostgreSQL store", .needsServer)
struct LostConnectionTests {
    private func options(history: Bool) -> [String: NSObject] {
        history ? [NSPersistentHistoryTrackingKey: true as NSNumber] : [:]
    }

    // MARK: The server ends sessions

    @Test("A fetch and a save after the server has ended all sessions succeed")
    func idle() throws {
        let store = try FaultStore()
        try store.save(1)
        try store.endSessions()
        #expect(try store.fetch() == [1])
        try store.endSessions()
        try store.save(2)
        try store.checkAcknowledged()
        #expect(try store.stored() == [1, 2])
    }

    @Test("A fetch whose session is ended is done again")
    func killedFetch() throws {
        let store = try FaultStore()
        try store.save(1)
        let holder = try FaultStore.observer(store.schema)
        try holder.begin()
        try holder.execute("LOCK TABLE zitem")
        let fetch = Work {
            let found = try store.fetch()
            #expect(found == [1])
        }
        let first = try store.waitingProcess()
        try store.end(first)
        // The second attempt waits, too.
        #expect(try store.waitingProcess() != first)
        holder.rollback()
        try fetch.finish()
    }

    @Test("A fetch whose connection is cut amid its rows is done again")
    func cutFetch() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try FaultStore(through: proxy)
        try store.observer.run(
            "INSERT INTO zitem (z_pk, z_ent, z_opt, znumber) SELECT n, 1, 1, n FROM generate_series(1, 20000) AS n"
        )
        _ = try store.fetch()
        proxy.cutNext(.inAnswer)
        #expect(try store.fetch() == Array(1...20000))
    }

    @Test("A read of several statements whose connection is cut at any of them is done again")
    func cutHistory() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try FaultStore(through: proxy, options: options(history: true))
        try store.save(1)
        let context = store.context()
        try context.performAndWait {
            func transactions() throws -> Int? {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                let result = try context.execute(request) as? NSPersistentHistoryResult
                return (result?.result as? [NSPersistentHistoryTransaction])?.count
            }
            let before = proxy.trips
            _ = try transactions()
            for place in 0..<(proxy.trips - before) {
                proxy.cutNext(.beforeServer, after: place)
                let count = try transactions()
                #expect(count == 1)
            }
        }
    }

    @Test("A query generation whose connection is lost is gone, and its context reads no other state")
    func pin() throws {
        let store = try FaultStore()
        try store.save(1)
        let context = store.context()
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            #expect(try context.count(for: request) == 1)
            try store.endSessions()
            try store.save(2)
            let error = try #require(throws: NSError.self) { try context.count(for: request) }
            #expect(error.localizedFailureReason?.contains("query generation is gone") == true)
            try context.setQueryGenerationFrom(.current)
            #expect(try context.count(for: request) == 2)
        }
    }

    @Test(
        "A save whose session is ended before or while it commits is done again",
        arguments: [false, true], [false, true])
    func killedSave(isAtCommit: Bool, keepsHistory: Bool) throws {
        let store = try FaultStore(options: options(history: keepsHistory))
        try store.save(1)
        try store.onInsert(2, FaultStore.suicide, isAtCommit: isAtCommit)
        try store.save(2)
        try store.checkAcknowledged()
        #expect(try store.stored() == [1, 2])
        #expect(try store.markCount() == 2)
    }

    @Test("A save that loses each of its connections fails, and its context can save again")
    func killedSaves() throws {
        let store = try FaultStore()
        try store.onInsert(4, FaultStore.suicide)
        let context = store.context()
        try context.performAndWait {
            store.insert(1, in: context)
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSPersistentStoreOperationError)
            #expect(error.localizedFailureReason?.contains("terminating connection") == true)
            #expect(context.hasChanges)
            #expect(try store.stored() == [])
            try context.save()
            #expect(!context.hasChanges)
        }
        #expect(try store.stored() == [1])
    }

    // MARK: The network is cut

    /// The requests of a save that are before the one with which it commits.
    private func requestsBeforeCommit(of store: FaultStore, _ proxy: TestProxy) throws -> Int {
        try store.save(100)
        let before = proxy.trips
        try store.save(101)
        return proxy.trips - before - 1
    }

    @Test(
        "A save whose connection is cut before or after the server commits is saved once",
        arguments: [TestProxy.Cut.beforeServer, .afterServer, .inAnswer], [false, true])
    func cutSave(cut: TestProxy.Cut, keepsHistory: Bool) throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try FaultStore(through: proxy, options: options(history: keepsHistory))
        let count = try requestsBeforeCommit(of: store, proxy)
        for number in 1...Int64(count + 1) {
            proxy.cutNext(cut, after: Int(number) - 1)
            try store.save(number)
        }
        try store.checkAcknowledged()
        #expect(try store.stored().count == count + 3)
    }

    @Test("A save whose answer is cut off after the commit has a history token, too")
    func tokenOfCutSave() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try FaultStore(through: proxy, options: options(history: true))
        try store.save(1)
        let context = store.context()
        try context.performAndWait {
            let tokens = Mutex<[NSPersistentHistoryToken]>([])
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSaveObjectIDs, object: context, queue: nil
            ) { notification in
                let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                tokens.withLock { $0 += [token].compactMap(\.self) }
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            func count(after token: NSPersistentHistoryToken?) throws -> Int? {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
                request.resultType = .count
                return (try context.execute(request) as? NSPersistentHistoryResult)?.result as? Int
            }
            store.insert(2, in: context)
            proxy.cutNext(.afterServer)
            try context.save()
            let token = try #require(tokens.withLock { $0.first })
            #expect(try count(after: token) == 0)
            store.insert(3, in: context)
            try context.save()
            #expect(try count(after: token) == 1)
            #expect(try count(after: nil) == 3)
        }
    }

    @Test(
        "An update, a deletion and a batch are done once if the connection is cut after the commit",
        arguments: [TestProxy.Cut.beforeServer, .afterServer])
    func cutChanges(cut: TestProxy.Cut) throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try FaultStore(through: proxy)
        let context = store.context()
        try context.performAndWait {
            let items = (1...3).map { store.insert($0, in: context) }
            try context.save()
            items[0].setValue(10, forKey: "number")
            context.delete(items[1])
            try context.save()
            items[0].setValue(20, forKey: "number")
            context.delete(items[2])
            proxy.cutNext(cut)
            try context.save()
            #expect(!context.hasChanges)
            items[0].setValue(30, forKey: "number")
            try context.save()
            let batch = NSBatchUpdateRequest(entityName: "Item")
            batch.propertiesToUpdate = ["number": NSExpression(format: "number + 1")]
            // The beginning, the update, and the commit.
            for place in 0..<3 {
                proxy.cutNext(cut, after: place)
                try context.execute(batch)
            }
        }
        #expect(try store.stored() == [33])
    }

    // MARK: Unknown outcomes

    /// Has a save end without an outcome, since no server answers after its connection is cut.
    private func loseSave(
        in context: NSManagedObjectContext, _ proxy: TestProxy, _ cut: TestProxy.Cut
    ) throws -> NSError {
        proxy.cutNext(cut)
        proxy.refuse(true)
        defer { proxy.refuse(false) }
        return try #require(throws: NSError.self) { try context.save() }
    }

    private func storeWithoutPatience(_ proxy: TestProxy, keepsHistory: Bool = false) throws -> FaultStore {
        var options = options(history: keepsHistory)
        options[NSPersistentStoreTimeoutOption] = 0.2 as NSNumber
        return try FaultStore(through: proxy, options: options)
    }

    @Test("If no server answers after a lost commit, the error says so, and the context keeps its changes")
    func unknown() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try storeWithoutPatience(proxy)
        try store.save(1)
        let context = store.context()
        try context.performAndWait {
            let item = store.insert(2, in: context)
            let error = try loseSave(in: context, proxy, .afterServer)
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSPersistentStoreOperationError)
            #expect(error.localizedFailureReason?.contains("whether it was saved") == true)
            #expect(error.userInfo[NSFilePathErrorKey] as? String != nil)
            #expect(context.insertedObjects == [item])
            #expect(item.value(forKey: "number") as? Int64 == 2)
        }
        #expect(try store.fetch() == [1, 2])
        try store.save(3)
        try store.checkAcknowledged()
    }

    @Test(
        "After an unknown outcome the next save of the context finds out, and saves its changes once",
        arguments: [TestProxy.Cut.beforeServer, .afterServer])
    func savedAgain(cut: TestProxy.Cut) throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try storeWithoutPatience(proxy)
        let context = store.context()
        try context.performAndWait {
            let items = (1...3).map { store.insert($0, in: context) }
            try context.save()
            items[0].setValue(10, forKey: "number")
            context.delete(items[1])
            let new = store.insert(4, in: context)
            _ = try loseSave(in: context, proxy, cut)
            #expect(context.hasChanges)
            // The server cannot be asked yet.
            proxy.refuse(true)
            #expect(throws: NSError.self) { try context.save() }
            proxy.refuse(false)
            try context.save()
            #expect(!context.hasChanges)
            #expect(!new.objectID.isTemporaryID)
            #expect(try store.stored() == [3, 4, 10])
            for item in [items[0], items[2], new] {
                item.setValue((item.value(forKey: "number") as? Int64 ?? 0) + 100, forKey: "number")
            }
            try context.save()
        }
        #expect(try store.stored() == [103, 104, 110])
    }

    @Test("After an unknown outcome, changes of an object that was inserted after all are not inserted again")
    func changedSince() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try storeWithoutPatience(proxy)
        try store.save(1)
        let context = store.context()
        try context.performAndWait {
            let item = store.insert(2, in: context)
            _ = try loseSave(in: context, proxy, .afterServer)
            item.setValue(3, forKey: "number")
            for _ in 1...2 {
                let error = try #require(throws: NSError.self) { try context.save() }
                #expect(error.code == NSPersistentStoreOperationError)
                #expect(error.localizedFailureReason?.contains("reset the context") == true)
            }
            context.reset()
            store.insert(4, in: context)
            try context.save()
        }
        #expect(try store.stored() == [1, 2, 4])
    }

    @Test("Without marks, a save whose connection is cut while it commits throws that its outcome is unknown")
    func withoutMarks() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try FaultStore(through: proxy, options: [PostgreSQLSaveMarksKey: false as NSNumber])
        try store.save(1)
        proxy.cutNext(.afterServer)
        let error = try #require(throws: NSError.self) { try store.save(2) }
        #expect(error.code == NSPersistentStoreOperationError)
        #expect(try store.stored() == [1, 2])
        #expect(try store.observer.run("SELECT 1 WHERE to_regclass('z_saves') IS NULL") == 1)
    }

    // MARK: Marks

    @Test("Each save and batch leaves one mark, and a save that is refused none")
    func marks() throws {
        let store = try FaultStore()
        try store.save(1)
        let context = store.context()
        try context.performAndWait {
            let item = store.insert(2, in: context)
            try context.save()
            try store.observer.run("UPDATE zitem SET z_opt = 7")
            item.setValue(3, forKey: "number")
            #expect(throws: NSError.self) { try context.save() }
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Item")))
        }
        #expect(try store.markCount() == 3)
    }

    @Test("A store that lacks the table of marks gets it when it is opened, and loses old marks")
    func opening() throws {
        let store = try FaultStore()
        try store.save(1)
        func open(_ options: [String: NSObject] = [:]) throws {
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: store.coordinator.managedObjectModel)
            let opened = try coordinator.addPersistentStore(
                type: .postgreSQL, at: store.url, options: options)
            try coordinator.remove(opened)
        }
        try store.observer.execute("UPDATE z_saves SET at = at - interval '2 hours'")
        try store.save(2)
        try open()
        #expect(try store.markCount() == 1)
        try store.observer.execute("DROP TABLE z_saves")
        try open([NSReadOnlyPersistentStoreOption: true as NSNumber])
        #expect(try store.observer.run("SELECT 1 WHERE to_regclass('z_saves') IS NULL") == 1)
        try open()
        #expect(try store.markCount() == 0)
    }

    @Test(
        "A transaction that is still open when its mark is asked for is waited for, and if it fails stays undone",
        arguments: [true, false])
    func ghost(commits: Bool) throws {
        let store = try FaultStore()
        let (ghost, asker) = (try FaultStore.observer(store.schema), try FaultStore.observer(store.schema))
        let mark = SaveMark()
        try ghost.begin()
        _ = try ghost.run([mark.step])
        let question = Work {
            let isCommitted = try mark.isCommitted(on: asker)
            #expect(isCommitted == commits)
        }
        let isWaiting: SQLText = "SELECT 1 FROM pg_stat_activity WHERE pid = ? AND wait_event_type = 'Lock'"
        while try store.observer.run(isWaiting, ParameterList(Int32(asker.processID))) == 0 {}
        if commits { try ghost.commit() } else { ghost.rollback() }
        try question.finish()
        #expect(try mark.isCommitted(on: asker) == commits)
        #expect(throws: PostgreSQLError.self) { try ghost.run([mark.step]) }
    }

    // MARK: No answer

    @Test("A save whose server no longer receives its packets is done again on another connection")
    func stalled() throws {
        let proxy = try FaultStore.proxy()
        defer { proxy.close() }
        let store = try FaultStore(through: proxy, "tcp_user_timeout=300")
        try store.save(1)
        let context = store.context()
        try context.performAndWait {
            // More than the buffers of the sockets hold.
            store.insert(2, in: context).setValue(Data(count: 24 << 20), forKey: "bytes")
            proxy.cutNext(.never)
            try context.save()
        }
        #expect(try store.stored() == [1, 2])
    }
}
