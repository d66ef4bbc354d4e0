import CoreData
import Foundation
import Testing

@Suite("Plans of lightweight migrations")
@MainActor
struct MigrationPlanTests {
    private static let first = """
        Cat
          name string
          lives int16
          coat string
          owner -> Person.cats
        Dog
          name string
        Person
          name string
          years int16
          cats ->> Cat.owner
        """
    private static let second = """
        Bird
          name string
        Human was Person
          name string
          age int32! = 7 was years
          cats ->>> Cat.owner
        Cat
          name string
          lives int16
          weight double = 4
          owner -> Human.cats
        """

    private func filled(_ sketch: String = first, type: String = NSSQLiteStoreType) throws -> VersionedStore {
        let store = try VersionedStore(sketch, type: type)
        let ada = store.insert("Person", ["name": "Ada", "years": 36])
        for name in ["Tom", "Kit", "Max"] { store.insert("Cat", ["name": name, "owner": ada]) }
        store.insert("Dog", ["name": "Rex"])
        try store.close()
        return store
    }

    private func plan(
        _ store: VersionedStore, _ sketch: String, options: [AnyHashable: Any]? = nil
    ) throws -> StoreMigrationPlan {
        try NSPersistentStoreCoordinator.lightweightMigrationPlan(
            forStoreAt: store.folder.file(), type: NSPersistentStore.StoreType(rawValue: store.type),
            options: options, to: ModelSketch(sketch).model)
    }

    private func files(_ store: VersionedStore) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: store.folder.file($0))) })
    }

    @Test("A plan describes what happens to each entity, with the number of its objects")
    func entities() throws {
        let plan = try plan(filled(), Self.second)
        #expect(plan.method == .inPlace)
        #expect(plan.entities.map(\.name) == ["Bird", "Cat", "Human", "Dog"])
        #expect(plan.entities.map(\.change) == [.added, .changed, .renamed(from: "Person"), .removed])
        #expect(plan.entities.map(\.objectCount) == [0, 3, 1, 1])
        #expect(plan.objectCount == 5)
        #expect(plan.obstacles.isEmpty)
    }

    @Test("A plan describes what happens to each property")
    func properties() throws {
        let plan = try plan(filled(), Self.second)
        #expect(
            plan.entities[1].properties.map(\.description) == ["+ attribute weight", "- attribute coat"])
        #expect(
            plan.entities[2].properties.map(\.description) == [
                "> attribute age, was years", "~ attribute age: Integer 16 -> Integer 32",
                "~ attribute age: mandatory", "~ relationship cats: ordered",
            ])
    }

    @Test("A plan has both versions, all statements with their values, and prints as a report")
    func description() throws {
        let (old, new) = (ModelSketch(Self.first).model, ModelSketch(Self.second).model)
        let plan = try plan(filled(), Self.second)
        #expect(plan.source.checksum == old.versionChecksum)
        #expect(plan.destination.checksum == new.versionChecksum)
        let fill = try #require(plan.statements.first { $0.title == "give ZWEIGHT its default" })
        #expect(fill.sql == "UPDATE ZCAT SET ZWEIGHT = ?")
        #expect(fill.values == ["4.0"])
        #expect(plan.script.contains("-- give ZWEIGHT its default\nUPDATE ZCAT SET ZWEIGHT = ?; -- 4.0"))
        let lines = plan.description.split(separator: "\n")
        #expect(lines[0] == "from version \(old.versionChecksum)" || lines[0].hasPrefix("from version"))
        #expect(lines.contains("in place, in one transaction"))
        #expect(lines.contains("> Human: was Person, 1 object"))
        #expect(lines.contains("    > attribute age, was years"))
        #expect(lines.last?.hasSuffix("rows written") == true)
    }

    @Test("The estimate counts the rows that statements write, also in renamed tables")
    func estimate() throws {
        let plan = try plan(filled(), Self.second)
        func rows(_ title: String) -> [Int] {
            plan.statements.filter { $0.title == title }.map(\.estimatedRowCount)
        }
        #expect(rows("give ZWEIGHT its default") == [3])
        #expect(rows("give ZAGE its default") == [1])
        #expect(rows("drop columns") == [3])
        #expect(plan.estimatedRowCount == plan.statements.map(\.estimatedRowCount).reduce(0, +))
        let renamed = try self.plan(
            filled(
                "Cat\n  name string\n  owner -> Person\nDog\n  name string\nPerson\n  name string\n  years int16"
            ),
            "Cat\n  name string\n  owner -> Person\nDog\n  name string\nPerson\n  name string\n  age int16 was years"
        )
        #expect(
            renamed.statements.filter { $0.title != "note the entities" }.allSatisfy {
                $0.estimatedRowCount == 0
            })
    }

    @Test("Making a plan changes nothing and leaves no files behind")
    func untouched() throws {
        let store = try filled()
        let before = try files(store)
        _ = try plan(store, Self.second)
        #expect(try files(store) == before)
        try store.migrate(to: Self.first, options: [:])
        // A plan can be made while the store is open.
        store.insert("Dog", ["name": "Ace"])
        try store.context.save()
        #expect(try plan(store, Self.second).entities.last?.objectCount == 2)
    }

    @Test("A change that cannot be inferred is in the plan with its obstacles")
    func obstacles() throws {
        let plan = try plan(
            filled(), Self.first.replacingOccurrences(of: "years int16", with: "years string"))
        #expect(plan.method == .impossible)
        #expect(plan.obstacles.map(\.entity) == ["Person"])
        #expect(plan.obstacles.map(\.property) == ["years"])
        #expect(plan.statements.isEmpty)
        #expect(plan.description.contains("! Person.years: Source and destination attribute types"))
        #expect(plan.objectCount == 5)
    }

    @Test("A store of the requested version needs no migration, and an unknown version is an error")
    func versions() throws {
        let store = try filled()
        let plan = try plan(store, Self.first)
        #expect(plan.method == .notNeeded)
        #expect(plan.statements.isEmpty)
        #expect(plan.entities.allSatisfy { $0.change == .kept })
        let database = try PlainDatabase(store.folder.file())
        try database.execute("DELETE FROM Z_MODELCACHE")
        let error = #expect(throws: NSError.self) { try self.plan(store, Self.second) }
        #expect(error?.code == NSMigrationMissingSourceModelError)
        let nowhere = store.folder.file("nowhere.sqlite")
        #expect(throws: CocoaError.self) {
            try NSPersistentStoreCoordinator.lightweightMigrationPlan(
                forStoreAt: nowhere, to: ModelSketch(Self.first).model)
        }
        #expect(!FileManager.default.fileExists(atPath: nowhere.path))
    }

    @Test(
        "A change that SQL cannot express is migrated by copy, and the plan explains why",
        .ofSQLite("External files"))
    func copying() throws {
        let store = try VersionedStore(
            "Cat\n  name string\n  photo external\n  home -> Home\nHome\n  cats ->> Cat")
        store.insert("Cat", ["name": "Tom"])
        try store.close()
        let plan = try plan(
            store, "Cat\n  name string\n  photo data\n  home -> Home.cats\nHome\n  cats ->> Cat.home")
        #expect(plan.method == .copying(reason: "Cat.home and cats were not each other's inverse"))
        #expect(plan.statements.isEmpty)
        #expect(plan.objectCount == 1)
        #expect(
            plan.entities[0].properties.map(\.description) == [
                "~ relationship home: with an inverse", "~ attribute photo: without external storage",
            ])
    }

    @Test("Objects of other types of stores are counted, too")
    func otherTypes() throws {
        let store = try filled(type: NSXMLStoreType)
        let before = try files(store)
        let plan = try plan(store, Self.first)
        #expect(plan.method == .notNeeded)
        #expect(plan.entities.map(\.objectCount) == [3, 1, 1])
        #expect(try files(store) == before)
    }

    @Test("A deferred clean-up is part of the plan")
    func deferred() throws {
        let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
        let plan = try plan(filled(), Self.second, options: [key: true as NSNumber])
        #expect(plan.statements.contains { $0.title == "put columns aside" })
        #expect(!plan.statements.contains { $0.title == "drop columns" })
    }

    @Test("The migration does what its plan says")
    func agreement() throws {
        let store = try filled()
        let plan = try plan(store, Self.second)
        try store.migrate(to: Self.second)
        #expect(try store.fetch("Human").count == plan.entities[2].objectCount)
        #expect(try store.fetch("Cat").count == plan.entities[1].objectCount)
        try store.close()
        #expect(try self.plan(store, Self.second).method == .notNeeded)
    }
}
