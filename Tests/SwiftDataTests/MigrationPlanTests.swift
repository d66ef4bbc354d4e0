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
