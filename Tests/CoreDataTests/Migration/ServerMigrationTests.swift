import CoreDataSQL
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Migration of PostgreSQL stores", .needsServer)
@MainActor
struct ServerMigrationTests {
    private static let first = "Person\n  name string\n  age int16"

    private static func open(
        _ sketch: String, at url: URL, _ options: [AnyHashable: Any] = [:]
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch(sketch).model)
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStoreType, configurationName: nil, at: url, options: options)
        return coordinator.context(.mainQueue)
    }

    private static func names(_ context: NSManagedObjectContext, _ entity: String = "Person") throws
        -> [String]
    {
        try context.fetch(entity, nil, [], sortedBy: "name").map { $0.value(forKey: "name") as? String ?? "" }
    }

    @Test("A migration that fails at its last steps leaves the store as it was")
    func failure() throws {
        let store = try VersionedStore(Self.first, .server)
        for age in 1...2 { store.insert("Person", ["name": "p", "age": age]) }
        try store.close()
        let session = try ServerDefinitions.session(store.url)
        defer { session.close() }
        let before = try ServerDefinitions(session)
        let error = #expect(throws: NSError.self) {
            try store.migrate(
                to: """
                    Human was Person
                      name string
                      years int64! = 3 was age
                      unique name
                    Team
                      name string
                      members ->> Human
                    """)
        }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(error?.code == NSMigrationError)
        #expect(cause?.code == NSMigrationConstraintViolationError)
        #expect(try ServerDefinitions(session).differences(from: before) == [])
        try store.migrate(to: Self.first, options: [:])
        #expect(try store.value("age", of: "Person").compactMap { $0 as? Int }.sorted() == [1, 2])
    }

    @Test("Of programs that migrate a store at once one does, and the others find it done")
    nonisolated func race() async throws {
        let url = try await Self.personStore()
        // Off the main actor: a test there may be making an index, which waits for the end of this transaction.
        let session = try ServerDefinitions.session(url)
        try session.begin(.immediate)
        try AdvisoryLock.schema.lockForTransaction(session)
        let programs = (0..<3).map { _ in
            Task { try await Self.onThread { try Self.program(at: url) } }
        }
        while try session.count(Self.waiting) < 3 { try await Task.sleep(for: .milliseconds(5)) }
        session.close()
        for program in programs { #expect(try await program.value == [1]) }
    }

    private static func personStore() throws -> URL {
        let store = try VersionedStore(first, .server)
        store.insert("Person", ["name": "p", "age": 1])
        try store.close()
        return store.url
    }

    /// Counts the sessions that wait for the lock of this store.
    nonisolated private static let waiting: SQLFragment = """
        SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND \
        CAST(objid AS bigint) = (CAST(hashtext(current_setting('search_path')) AS bigint) & 4294967295)
        """

    /// Runs a body that waits, on a thread of its own.
    nonisolated private static func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Opens the store with the latest model, as a program does, and returns the ages of all people.
    nonisolated private static func program(at url: URL) throws -> [Double] {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: ModelSketch(
                "Human was Person\n  name string\n  age double\n  mail string! = \"none\""
            ).model)
        try coordinator.addPersistentStore(
            ofType: PostgreSQLStoreType, configurationName: nil, at: url, options: VersionedStore.automatic)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Human"))
                .compactMap { $0.value(forKey: "age") as? Double }
        }
    }

    @Test("A program with the former model goes on beside a migration that adds entities and attributes")
    func additive() throws {
        let url = try ScratchFolder().place(.postgreSQL)
        let former = try Self.open(Self.first, at: url)
        let person = former.insert("Person", ["name": "a", "age": 1])
        try former.save()
        let new = try Self.open(
            """
            Address
              city string
              people ->> Person.address
            Person
              name string
              age int16
              mail string
              address -> Address.people
            Worker: Person
              wage double
            """, at: url, VersionedStore.automatic)
        _ = new.insert("Worker", ["name": "w"])
        _ = new.insert(
            "Address", ["city": "here", "people": Set(try new.fetch("Person", nil, [], sortedBy: nil))])
        try new.save()
        for number in 0..<100 { _ = former.insert("Person", ["name": "b\(number)"]) }
        person.setValue(2, forKey: "age")
        #expect(throws: NSError.self, "the new program has changed the row") { try former.save() }
        former.refresh(person, mergeChanges: false)
        person.setValue(3, forKey: "age")
        try former.save()
        #expect(try Self.names(former).count == 101)
        new.reset()
        #expect(try new.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 102)
        let changed = try new.fetch("Person", "age == 3", [], sortedBy: nil).first
        #expect(changed?.value(forKeyPath: "address.city") as? String == "here")
        former.delete(person)
        try former.save()
        #expect(try Self.names(new, "Worker") == ["w"])
    }

    @Test(
        "Pairs are found from both sides by an index, also when the other side has become the table's master")
    func turnedJoin() throws {
        let url = try ScratchFolder().place(.postgreSQL)
        let sides = "A\n  name string\n  bs ->> B.as\nB\n  name string\n  as ->>> A.bs"
        let context = try Self.open(sides, at: url)
        let a = context.insert("A", ["name": "a"])
        _ = context.insert("B", ["name": "b", "as": NSOrderedSet(object: a)])
        try context.save()
        let migrated = try Self.open(sides + "\nC: B\n  more string", at: url, VersionedStore.automatic)
        #expect(
            try migrated.fetch("A", nil, [], sortedBy: nil).first?.value(forKeyPath: "bs.name") as? NSSet == [
                "b"
            ])
        let leading = try PlainSchema(url).integer(
            """
            SELECT count(DISTINCT indkey[0]) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid \
            WHERE relname = 'z_2as' AND relnamespace = CAST(quote_ident(current_schema()) AS regnamespace)
            """)
        #expect(leading == 2)
    }

    @Test("A program with the former model gets error 134100 after a migration that renames or removes")
    func renamed() throws {
        for sketch in [
            "Human was Person\n  name string\n  age int16", "Person\n  title string was name\n  age int16",
            "Person\n  name string", "Other\n  name string",
        ] {
            let url = try ScratchFolder().place(.postgreSQL)
            let former = try Self.open(Self.first, at: url)
            let person = former.insert("Person", ["name": "a", "age": 1])
            try former.save()
            _ = try Self.names(former)
            _ = try Self.open(sketch, at: url, VersionedStore.automatic)
            let reading = #expect(throws: NSError.self) { try Self.names(former) }
            #expect(reading?.code == NSPersistentStoreIncompatibleVersionHashError)
            person.setValue("b", forKey: "name")
            person.setValue(2, forKey: "age")
            let saving = #expect(throws: NSError.self) { try former.save() }
            #expect(saving?.code == NSPersistentStoreIncompatibleVersionHashError)
        }
    }

    @Test("Tables that are renamed in a circle take their keys and indexes with them")
    func circle() throws {
        let store = try VersionedStore(
            "A\n  name string\n  size int16\n  others ->> B.others\nB\n  name string\n  others ->> A.others",
            .server)
        let a = store.insert("A", ["name": "a"])
        store.insert("B", ["name": "b", "others": Set([a])])
        try store.migrate(
            to: """
                A was B
                  name string
                  others ->> B.others
                B was A
                  name string
                  size int16
                  others ->> A.others
                """)
        #expect(try store.value("name", of: "A").map { $0 as? String } == ["b"])
        #expect(try store.value("others.name", of: "B").map { $0 as? Set<String> } == [["b"]])
        for entity in ["A", "B"] { for _ in 0..<70 { store.insert(entity, ["name": entity]) } }
        try store.context.save()
        #expect(try store.fetch("A").count == 71)
    }

    @Test("Objects that move to another table keep apart from those that are there, and from later ones")
    func moved() throws {
        let store = try VersionedStore("Cat\n  name string\nDog\n  name string", .server)
        for entity in ["Cat", "Dog"] { for _ in 0..<3 { store.insert(entity, ["name": entity]) } }
        try store.migrate(to: "Pet\n  name string\nCat: Pet\n  size int16\nDog: Pet\n  size int16")
        for entity in ["Cat", "Dog"] { for _ in 0..<200 { store.insert(entity, ["name": entity]) } }
        try store.context.save()
        store.context.reset()
        #expect(try store.fetch("Pet").count == 406)
        #expect(try store.fetch("Dog").allSatisfy { $0.value(forKey: "name") as? String == "Dog" })
    }

    @Test("A change that SQL cannot express is migrated by a copy, whose tables replace the old ones")
    func copied() throws {
        let store = try VersionedStore(
            "Cat\n  name string\n  home -> Home\nHome\n  name string\n  cats ->> Cat", .server)
        let home = store.insert("Home", ["name": "h"])
        store.insert("Cat", ["name": "c", "home": home])
        try store.context.save()
        let identifier = store.coordinator.persistentStores[0].identifier
        try store.migrate(
            to: "Cat\n  name string\n  home -> Home.cats\nHome\n  name string\n  cats ->> Cat.home")
        #expect(store.coordinator.persistentStores[0].identifier == identifier)
        #expect(try store.value("name", of: "Cat").map { $0 as? String } == ["c"])
        #expect(try store.fetch("Home").count == 1)
    }

    @Test("A store on a server is not migrated if a backup is asked for, which cannot be made")
    func backup() throws {
        let store = try VersionedStore(Self.first, .server)
        var options = VersionedStore.automatic
        options[PersistentStoreMigrationBackupKey] = store.folder.file("backup.sqlite")
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: "Person\n  name string", options: options)
        }
        #expect(error?.localizedFailureReason?.contains("no backup can be made") == true)
        try store.migrate(to: Self.first, options: [:])
    }
}
