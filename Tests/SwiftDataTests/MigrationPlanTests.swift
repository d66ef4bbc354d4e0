#if SwiftData
import CoreData
import CoreDataSQL
import CoreDataSQLite
import SwiftData
import Synchronization
import Testing

@Suite("Versioned schemas and migration plans")
struct MigrationPlanTests {
    private let store: ScratchStore

    init() throws { store = try ScratchStore() }

    private func container(
        _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = BookPlan.self
    ) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan,
            configurations: ModelConfiguration(url: store.url))
    }

    private func fill() throws {
        let context = ModelContext(try container(Book1.self, nil))
        for name in ["Ada Lovelace", "Alan Turing"] { context.insert(Book1.Person(name: name)) }
        try context.save()
    }

    private func people() throws -> [Book3.Person] {
        try ModelContext(try container(Book3.self)).fetch(
            FetchDescriptor<Book3.Person>(sortBy: [SortDescriptor(\.family)]))
    }

    @Test("A store goes through all stages, with contexts of both versions of a custom one")
    func allStages() throws {
        defer { store.remove() }
        try fill()
        let people = try people()
        #expect(people.map(\.family) == ["LOVELACE", "TURING"])
        #expect(people.map(\.first) == ["Ada", "Alan"])
        #expect(people.map(\.number) == [8, 8])
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: store.url)
        #expect(metadata["NSStoreModelVersionIdentifiers"] as? [String] == ["3.0.0"])
    }

    @Test("A store of a later version goes through the later stages only")
    func laterStages() throws {
        defer { store.remove() }
        try fill()
        _ = try container(Book2.self)
        let context = ModelContext(try container(Book2.self))
        for person in try context.fetch(FetchDescriptor<Book2.Person>()) { person.number = 1 }
        try context.save()
        #expect(try people().map(\.number) == [2, 2])
        #expect(try people().map(\.number) == [2, 2])
    }

    @Test("A container of a former version opens a store up to that version, and no later one")
    func formerVersion() throws {
        defer { store.remove() }
        try fill()
        let context = ModelContext(try container(Book2.self))
        #expect(try context.fetch(FetchDescriptor<Book2.Person>()).map(\.number) == [7, 7])
        _ = try people()
        let error = #expect(throws: SwiftDataError.self) { try container(Book2.self) }
        #expect(error.map { SwiftDataError.backwardMigration ~= $0 } == true)
    }

    @Test("A migration whose last closure fails is done again from there")
    func failure() throws {
        defer { store.remove() }
        try fill()
        FailingPlan.fails.withLock { $0 = true }
        #expect(throws: SwiftDataError.self) { try container(Book2.self, FailingPlan.self) }
        let context = ModelContext(try container(Book2.self, FailingPlan.self))
        #expect(try context.fetch(FetchDescriptor<Book2.Person>()).map(\.name) == ["done", "done"])
        FailingPlan.calls.withLock { #expect($0 == ["will", "did", "did"]) }
    }

    @Test("A migration that is killed at any statement is taken on by the next container, and loses nothing")
    func killed() async throws {
        defer { store.remove() }
        try fill()
        let original = store.url.path
        let whole = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [original = original as String] in
            try MigrationPlanTests.migrate(copyOf: original, named: "whole", killedAt: 0)
        }
        let output = String(decoding: whole?.standardOutputContent ?? [], as: UTF8.self)
        let line = output.split(separator: "\n").last { $0.hasPrefix("statements: ") }
        let count = try #require(line.flatMap { Int($0.dropFirst(12)) })
        #expect(count > 20)
        for point in stride(from: 2, to: count, by: max(1, count / 9)) {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [original = original as String, point = point as Int] in
                try MigrationPlanTests.migrate(copyOf: original, named: "\(point)", killedAt: point)
            }
            let copy = URL(filePath: original).deletingLastPathComponent().appending(path: "\(point)")
            let container = try ModelContainer(
                for: Schema(versionedSchema: Book3.self), migrationPlan: BookPlan.self,
                configurations: ModelConfiguration(url: copy.appending(path: "default.store")))
            let people = try ModelContext(container).fetch(
                FetchDescriptor<Book3.Person>(sortBy: [SortDescriptor(\.family)]))
            #expect(people.map(\.family) == ["LOVELACE", "TURING"], "at \(point) of \(count)")
            #expect(people.map(\.first) == ["Ada", "Alan"], "at \(point) of \(count)")
            // A first closure whose stage did not end is called again.
            #expect(people.allSatisfy { [8, 9].contains($0.number) }, "at \(point) of \(count)")
        }
    }

    /// Copies a store into a folder beside it and migrates the copy, and ends the process at a statement; prints
    /// the number of statements until the last closure ended if it is 0.
    private static func migrate(copyOf path: String, named name: String, killedAt point: Int) throws {
        let original = URL(filePath: path).deletingLastPathComponent()
        let copy = original.appending(path: name)
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for file in ["default.store", "default.store-wal", "default.store-shm"] {
            let source = original.appending(path: file)
            guard FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(at: source, to: copy.appending(path: file))
        }
        let count = Mutex(0)
        let listener = SQLLog.listen { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == point { kill(getpid(), SIGKILL) }
        }
        defer { listener.stop() }
        BookPlan.ended.withLock { $0 = { print("statements: \(count.withLock { $0 })") } }
        _ = try ModelContainer(
            for: Schema(versionedSchema: Book3.self), migrationPlan: BookPlan.self,
            configurations: ModelConfiguration(url: copy.appending(path: "default.store")))
        fflush(nil)
    }

    @Test("Stores of several configurations are migrated, also to a version that has models the former lacks")
    func severalStores() throws {
        let second = try ScratchStore()
        defer { for store in [store, second] { store.remove() } }
        func container(_ version: any VersionedSchema.Type, _ others: [any PersistentModel.Type]) throws
            -> ModelContainer
        {
            let people = version.models.filter { Schema.entityName(for: $0) == "Person" }
            return try ModelContainer(
                for: Schema(versionedSchema: version), migrationPlan: ClubPlan.self,
                configurations: ModelConfiguration("people", schema: Schema(people), url: store.url),
                ModelConfiguration("rest", schema: Schema(others), url: second.url))
        }
        let first = ModelContext(try container(Club1.self, [Club1.Hall.self]))
        first.insert(Club1.Person(name: "Ada"))
        first.insert(Club1.Hall())
        try first.save()
        let later = ModelContext(try container(Club2.self, [Club2.Hall.self, Club2.Cup.self]))
        #expect(try later.fetch(FetchDescriptor<Club2.Person>()).map(\.number) == [1])
        #expect(try later.fetch(FetchDescriptor<Club2.Hall>()).map(\.town) == ["Bern"])
        later.insert(Club2.Cup())
        try later.save()
        #expect(try later.fetchCount(FetchDescriptor<Club2.Cup>()) == 1)
    }

    @Test("A class of another version is not taken for the container's, and the message names both")
    func otherVersion() async {
        let fetch = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = ModelContext(try memoryContainer(Book2.Person.self))
            _ = try context.fetch(FetchDescriptor<Book1.Person>())
        }
        let insertion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ModelContext(try memoryContainer(Book2.Person.self)).insert(Book1.Person(name: "Ada"))
        }
        for result in [fetch, insertion] {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Book1.Person is not in the schema of the container, whose Person is"))
        }
    }

    @Test("A store of an unknown version is an error that names what differs from which version")
    func unknownVersion() throws {
        defer { store.remove() }
        _ = try container(ForeignBook.self, nil)
        let error = #expect(throws: SwiftDataError.self) { try container(Book3.self) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasPrefix("unknownSchema"))
        #expect(
            text.contains("is of no version of BookPlan. It is nearest to 1.0.0, from which it differs: "))
        #expect(
            text.contains(
                "Person.name is an optional integer64 in the store, a mandatory string in the version"))
        #expect(text.contains("Person.town is not in the version"))
    }

    @Test("A store that was made before the model had an index gets it when it is opened for writing")
    func indexes() throws {
        defer { store.remove() }
        _ = try container(Book3.self, nil)
        func onFile<Result>(_ work: (SQLiteConnection) throws -> Result) throws -> Result {
            let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
            defer { connection.close() }
            return try work(connection)
        }
        func has() throws -> Bool {
            try onFile {
                try $0.count("SELECT count(*) FROM sqlite_master WHERE name LIKE '%IndexOnBinaryfamily'") == 1
            }
        }
        #expect(try has())
        try onFile { try $0.execute("DROP INDEX Z_Person_SwiftDataIndexOnBinaryfamily") }
        _ = try ModelContainer(
            for: Schema(versionedSchema: Book3.self),
            configurations: ModelConfiguration(url: store.url, allowsSave: false))
        #expect(try !has())
        _ = try container(Book3.self, nil)
        #expect(try has())
    }

    @Test("Versions with equal models, and stages of versions that are not in the plan, are errors")
    func badPlans() {
        let twins = #expect(throws: SwiftDataError.self) { try container(Book1.self, TwinPlan.self) }
        #expect(twins.map { "\($0)" }?.contains("1.0.0 and 1.0.1 of TwinPlan have equal models") == true)
        let stray = #expect(throws: SwiftDataError.self) { try container(Book1.self, StrayPlan.self) }
        #expect(stray.map { "\($0)" }?.contains("names Book2, which is not among its schemas") == true)
        store.remove()
    }
}

private enum BookPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [Book1.self, Book2.self, Book3.self]
    static var stages: [MigrationStage] { [numbers, names] }

    /// What is called when the last closure has ended.
    static let ended = Mutex<@Sendable () -> Void>({})

    static var numbers: MigrationStage { .lightweight(fromVersion: Book1.self, toVersion: Book2.self) }

    /// Adds one to the numbers before, and splits the names after the migration.
    static var names: MigrationStage {
        .custom(
            fromVersion: Book2.self, toVersion: Book3.self,
            willMigrate: { context in
                for person in try context.fetch(FetchDescriptor<Book2.Person>()) { person.number += 1 }
                try context.save()
            },
            didMigrate: { context in
                for person in try context.fetch(FetchDescriptor<Book3.Person>()) {
                    let parts = person.family.split(separator: " ").map(String.init)
                    guard parts.count == 2 else { continue }
                    (person.first, person.family) = (parts[0], parts[1].uppercased())
                }
                ended.withLock { $0 }()
            })
    }
}

/// A plan whose last closure fails once.
private enum FailingPlan: SchemaMigrationPlan {
    static let fails = Mutex(false)
    static let calls = Mutex<[String]>([])
    static let schemas: [any VersionedSchema.Type] = [Book1.self, Book2.self]
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: Book1.self, toVersion: Book2.self,
                willMigrate: { _ in calls.withLock { $0.append("will") } },
                didMigrate: { context in
                    calls.withLock { $0.append("did") }
                    for person in try context.fetch(FetchDescriptor<Book2.Person>()) { person.name = "done" }
                    if fails.withLock({ fails in
                        defer { fails = false }; return fails
                    }) {
                        throw CocoaError(.featureUnsupported)
                    }
                })
        ]
    }
}

private enum ClubPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [Club1.self, Club2.self]
    static var stages: [MigrationStage] {
        [
            .custom(
                fromVersion: Club1.self, toVersion: Club2.self, willMigrate: nil,
                didMigrate: { context in
                    for hall in try context.fetch(FetchDescriptor<Club2.Hall>()) { hall.town = "Bern" }
                })
        ]
    }
}

private enum TwinPlan: SchemaMigrationPlan {
    enum Copy: VersionedSchema {
        static let models: [any PersistentModel.Type] = [Book1.Person.self]
        static let versionIdentifier = Schema.Version(1, 0, 1)
    }
    static let schemas: [any VersionedSchema.Type] = [Book1.self, Copy.self]
    static var stages: [MigrationStage] { [] }
}

private enum StrayPlan: SchemaMigrationPlan {
    static let schemas: [any VersionedSchema.Type] = [Book1.self]
    static var stages: [MigrationStage] { [.lightweight(fromVersion: Book1.self, toVersion: Book2.self)] }
}
#endif
