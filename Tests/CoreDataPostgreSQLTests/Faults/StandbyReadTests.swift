import CoreData
import CoreDataLibpq
import CoreDataPostgreSQL
import CoreDataSQL
import CoreDataStore
import Foundation
import PostgreSQLTestSupport
import Synchronization
import Testing

@Suite(
    "Reads from standbys by stores that save", .enabled(if: Replica.isAvailable, "\(TestServer.absence)"),
    .serialized)
struct StandbyReadTests {
    /// Opens and changes the store without its standby.
    private let other: FaultStore
    private let follower: Follower
    private let primaryPort: Int

    init() throws {
        other = try FaultStore(options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        follower = try Follower()
        primaryPort = try TestServer.shared().port
        try other.save(1)
    }

    private func open(standbys: String? = nil, _ options: [String: NSObject] = [:]) throws -> FaultStore {
        let url = try #require(URL(string: standbys ?? "postgresql://127.0.0.1:\(follower.port)"))
        return try FaultStore(
            sharing: other, options: options.merging([PostgreSQLStandbyURLKey: url as NSURL]) { $1 })
    }

    /// What a fetch has found, and the ports of the servers that were asked.
    private struct Answer: Equatable {
        let numbers: [Int64]
        let ports: Set<Int>

        init(_ numbers: [Int64], _ ports: Set<Int>) { (self.numbers, self.ports) = (numbers, ports) }
    }

    private func answer(_ store: FaultStore) throws -> Answer {
        var numbers: [Int64] = []
        let ports = try servers { numbers = try store.fetch() }
        return Answer(numbers, ports)
    }

    /// Returns the ports of the servers at which the store runs statements.
    private func servers(_ body: () throws -> Void) rethrows -> Set<Int> {
        let ports = Ports()
        let listener = SQLLog.listen(.statements) { [schema = other.schema] entry in
            guard entry.path.hasSuffix("schema=\(schema)"),
                let port = entry.path.firstMatch(of: /port=(\d+)/).flatMap({ Int($0.1) })
            else { return }
            ports.add(port)
        }
        defer { listener.stop() }
        try body()
        return ports.all
    }

    /// Fetches until a standby answers, and returns what it answers.
    private func fetchAtStandby(_ store: FaultStore, port: Int? = nil) throws -> [Int64] {
        let latest = Date(timeIntervalSinceNow: 120)
        while true {
            let answer = try answer(store)
            if answer.ports == [port ?? follower.port] { return answer.numbers }
            try #require(latest.timeIntervalSinceNow > 0, "no standby answers")
        }
    }

    /// Expects that the store's fetches go to the primary.
    private func expectPrimary(
        _ store: FaultStore, _ numbers: [Int64], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for _ in 0..<20 {
            let answer = try answer(store)
            #expect(answer == Answer(numbers, [primaryPort]), sourceLocation: sourceLocation)
        }
    }

    @Test("A save is seen by the next fetch, at the primary until the standby has followed")
    func readYourWrites() throws {
        let store = try open()
        #expect(try fetchAtStandby(store) == [1])
        try follower.pause()
        #expect(try answer(store) == Answer([1], [follower.port]))
        try store.save(2)
        try expectPrimary(store, [1, 2])
        try follower.resume()
        #expect(try fetchAtStandby(store) == [1, 2])
        #expect(try answer(store) == Answer([1, 2], [follower.port]))
    }

    @Test("A fetch from a standby takes one trip, and so do a fetch at the primary and a save")
    func trips() throws {
        let store = try open()
        _ = try fetchAtStandby(store)
        #expect(try TripCounter.count { _ = try store.fetch() } == 1)
        try store.save(2)
        try follower.pause()
        try store.save(3)
        #expect(try TripCounter.count { try store.save(4) } == 1)
        for _ in 0..<20 { #expect(try TripCounter.count { _ = try store.fetch() } == 1) }
        try follower.resume()
        _ = try fetchAtStandby(store)
        #expect(try TripCounter.count { _ = try store.fetch() } == 1)
    }

    @Test("Without the option a store that saves has nothing to do with standbys")
    func without() throws {
        try follower.catchUp(with: other.observer)
        try expectPrimary(other, [1])
    }

    @Test("What a batch has inserted is fetched, and what one has deleted is gone")
    func batches() throws {
        let store = try open()
        _ = try fetchAtStandby(store)
        try follower.pause()
        let context = store.context()
        try context.performAndWait {
            let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
            let insertion = NSBatchInsertRequest(
                entityName: "Item", objects: [["number": 2], ["number": 3]] as [[String: Any]])
            try context.execute(insertion)
            try expectPrimary(store, [1, 2, 3])
            let one = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            one.predicate = NSPredicate(format: "number = 1")
            try context.execute(NSBatchDeleteRequest(fetchRequest: one))
            try expectPrimary(store, [2, 3])
            context.refresh(items[0], mergeChanges: false)
            #expect(throws: NSError.self) { try context.existingObject(with: items[0].objectID) }
        }
    }

    @Test("A fault reads the row that another context has saved, and nothing brings an older one back")
    func faults() throws {
        let store = try open()
        _ = try fetchAtStandby(store)
        try follower.pause()
        let (context, editor) = (store.context(), store.context())
        let id = try context.performAndWait {
            try #require(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first).objectID
        }
        try editor.performAndWait {
            let item = try editor.existingObject(with: id)
            item.setValue(7, forKey: "number")
            try editor.save()
            editor.reset()
        }
        try context.performAndWait {
            let item = context.object(with: id)
            let ports = servers {
                context.refresh(item, mergeChanges: false)
                _ = item.value(forKey: "number")
            }
            #expect(ports == [primaryPort])
            #expect(item.value(forKey: "number") as? Int == 7)
            context.reset()
            let again = try context.existingObject(with: id)
            #expect(again.value(forKey: "number") as? Int == 7)
        }
        try editor.performAndWait {
            try editor.delete(editor.existingObject(with: id))
            try editor.save()
        }
        context.performAndWait {
            context.reset()
            #expect(throws: NSError.self) { try context.existingObject(with: id) }
        }
    }

    @Test("What a remote change announces is read, though no standby has it")
    func announced() throws {
        let store = try open([NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber])
        _ = try fetchAtStandby(store)
        let ear = Ear(store.coordinator)
        try follower.pause()
        try other.save(2)
        #expect(try ear.hears(#require(other.coordinator.currentPersistentHistoryToken(fromStores: nil))))
        try expectPrimary(store, [1, 2])
    }

    @Test("What a history token covers is read, though no standby has it")
    func history() throws {
        let store = try open()
        _ = try fetchAtStandby(store)
        try follower.pause()
        try other.save(2)
        #expect(try answer(store) == Answer([1], [follower.port]))
        #expect(store.coordinator.currentPersistentHistoryToken(fromStores: nil) != nil)
        try expectPrimary(store, [1, 2])
    }

    @Test("After a conflict with another program's save its row is read, though no standby has it")
    func conflict() throws {
        let store = try open()
        _ = try fetchAtStandby(store)
        let context = store.context()
        try context.performAndWait {
            let item = try #require(
                context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first)
            try follower.pause()
            try change(in: other, from: 1, to: 2)
            item.setValue(3, forKey: "number")
            #expect(throws: NSError.self) { try context.save() }
            context.refresh(item, mergeChanges: false)
            #expect(item.value(forKey: "number") as? Int == 2)
            item.setValue(3, forKey: "number")
            try context.save()
        }
        try expectPrimary(store, [3])
    }

    private func change(in store: FaultStore, from number: Int, to new: Int) throws {
        let context = store.context()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "number = %d", number)
            try #require(context.fetch(request).first).setValue(new, forKey: "number")
            try context.save()
        }
    }

    @Test("A query generation of a store that saves is of the primary, and later reads are not older")
    func generation() throws {
        let store = try open()
        _ = try fetchAtStandby(store)
        try follower.pause()
        try other.save(2)
        let context = store.context()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            #expect(try context.count(for: request) == 2)
        }
        try expectPrimary(store, [1, 2])
    }

    @Test("While no standby answers the primary does, and a standby again when it is back")
    func absence() throws {
        let proxy = try TestProxy(target: follower.port)
        defer { proxy.close() }
        proxy.refuse(true)
        let store = try open(standbys: "postgresql://127.0.0.1:\(proxy.port)")
        try expectPrimary(store, [1])
        proxy.refuse(false)
        #expect(try fetchAtStandby(store, port: proxy.port) == [1])
        proxy.refuse(true)
        proxy.cutAll()
        #expect(try store.fetch() == [1])
        try expectPrimary(store, [1])
        try store.save(2)
        proxy.refuse(false)
        #expect(try fetchAtStandby(store, port: proxy.port) == [1, 2])
    }

    @Test("A read that a standby breaks off, to follow its primary, is done by the primary")
    func cancelled() throws {
        let store = try open()
        _ = try fetchAtStandby(store)
        try other.observer.execute(
            """
            CREATE FUNCTION guard() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN IF pg_is_in_recovery() THEN \
            RAISE EXCEPTION 'canceling statement due to conflict with recovery' USING ERRCODE = '40001'; \
            END IF; RETURN true; END $$; \
            ALTER TABLE zitem RENAME TO zitem0; CREATE VIEW zitem AS SELECT * FROM zitem0 WHERE guard()
            """)
        try follower.catchUp(with: other.observer)
        #expect(try answer(store) == Answer([1], [follower.port, primaryPort]))
    }

    @Test("After a failover the new primary's standby answers when it has followed")
    func failover() throws {
        let second = try Follower(following: follower)
        let proxy = try TestProxy(target: primaryPort)
        let hosts = "host=127.0.0.1,127.0.0.1,127.0.0.1&port=\(proxy.port),\(follower.port),\(second.port)"
        let place = "postgresql:///postgres?user=postgres&sslmode=disable&\(hosts)&schema=\(other.schema)"
        let url = try #require(URL(string: place))
        let store = try FaultStore(
            sharing: other, at: url, options: [PostgreSQLStandbyURLKey: url as NSURL])
        #expect(try fetchAtStandby(store) == [1])
        try second.pause()
        try follower.catchUp(with: other.observer)
        proxy.close()
        try follower.promote()
        try store.save(2)
        for _ in 0..<20 { #expect(try store.fetch() == [1, 2]) }
        try second.resume()
        #expect(try fetchAtStandby(store, port: second.port) == [1, 2])
        second.stop()
        #expect(try store.fetch() == [1, 2])
    }
}

private final class Ports: Sendable {
    private let ports = Mutex<Set<Int>>([])
    var all: Set<Int> { ports.withLock { $0 } }
    func add(_ port: Int) { ports.withLock { _ = $0.insert(port) } }
}
