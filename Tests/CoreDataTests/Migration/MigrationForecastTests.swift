import CoreData
import Foundation
import Testing

@Suite("Objects that would stop a migration")
@MainActor
struct MigrationForecastTests {
    private static let first = """
        Being abstract
          name string
        Cat: Being
          lives int32
          coat string
          owner -> Person.cats
        Dog: Being
          weight double
        Person
          mail string
          cats ->> Cat.owner
        """

    private func filled(type: String = NSSQLiteStoreType) throws -> VersionedStore {
        let store = try VersionedStore(Self.first, type: type)
        let people = ["m", "m", "n"].map { store.insert("Person", ["mail": $0]) }
        store.insert("Cat", ["name": "Tom", "lives": 9, "coat": "red", "owner": people[0]])
        store.insert("Cat", ["name": "Kit", "lives": 70000, "coat": "red"])
        store.insert("Cat", ["name": "Max"])
        store.insert("Dog", ["name": "Tom", "weight": 9.5])
        store.insert("Dog", ["weight": 70000.5])
        try store.close()
        return store
    }

    private func plan(_ store: VersionedStore, _ sketch: String) throws -> StoreMigrationPlan {
        try NSPersistentStoreCoordinator.lightweightMigrationPlan(
            forStoreAt: store.url, type: NSPersistentStore.StoreType(rawValue: store.type),
            options: [PersistentStoreMigrationSourceModelKey: ModelSketch(Self.first).model],
            to: ModelSketch(sketch).model)
    }

    /// The model with some lines replaced.
    private static func changed(_ lines: KeyValuePairs<String, String>) -> String {
        lines.reduce(first) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }

    /// Changes and the violations counted for them; a migration by copy does not count constraints.
    private static let cases: [(KeyValuePairs<String, String>, [String])] = [
        (["  coat string": "  coat string!"], ["Cat.coat 1"]),
        (["  coat string": "  coat string! = grey"], []),
        (["  coat string": "  coat string\n  born date!"], ["Cat.born 3"]),
        (["name string": "name string!"], ["Dog.name 1"]),
        (["  owner -> Person.cats": "  owner -> Person.cats!"], ["Cat.owner 2"]),
        (["lives int32": "lives int16"], ["Cat.lives 1"]),
        (["weight double": "weight int16"], ["Dog.weight 1"]),
        (["weight double": "weight int32"], []),
        (["lives int32": "years int16! was lives"], ["Cat.years 1", "Cat.years 1"]),
        (
            ["Cat": "Tom was Cat", "Cat.owner": "Tom.owner", "  coat string": "  coat string!"],
            ["Tom.coat 1"]
        ),
    ]

    @Test(
        "Missing values and numbers out of range are counted in every type of store",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func missing(_ type: String) throws {
        for (lines, expected) in Self.cases {
            let store = try filled(type: type)
            let sketch = Self.changed(lines)
                .replacingOccurrences(of: "-> Tom was Cat.", with: "-> Tom.")
                .replacingOccurrences(of: "->> Tom was Cat.", with: "->> Tom.")
                .replacingOccurrences(of: "Tom was Cat: Being", with: "Tom: Being was Cat")
            let plan = try plan(store, sketch)
            let found = plan.violations.map { "\($0.entity).\($0.property ?? "") \($0.objectCount)" }
            #expect(found == expected, "\(sketch)")
            #expect(plan.violations.allSatisfy { plan.description.contains("! \($0)") })
            var options = VersionedStore.automatic
            options[PersistentStoreMigrationSourceModelKey] = ModelSketch(Self.first).model
            if expected.isEmpty {
                try store.migrate(to: sketch, options: options)
                continue
            }
            let error = #expect(throws: NSError.self) { try store.migrate(to: sketch, options: options) }
            let place = [error?.userInfo["entity"], error?.userInfo["attribute"]].map { $0 as? String ?? "" }
            #expect(expected.first?.hasPrefix(place.joined(separator: ".")) == true, "\(sketch)")
        }
    }

    @Test("Duplicates of unique values are counted as they would be after the migration")
    func shared() throws {
        let cases: [(KeyValuePairs<String, String>, [String])] = [
            (["  mail string": "  mail string\n  unique mail"], ["Person.mail 2"]),
            (["  mail string": "  post string was mail\n  unique post"], ["Person.post 2"]),
            // Shared by both kinds of beings.
            (["  name string": "  name string\n  unique name"], ["Being.name 2"]),
            (["  coat string": "  coat string\n  unique coat"], ["Cat.coat 2"]),
            (["  coat string": "  coat string\n  unique coat, name"], []),
            (["  coat string": "  coat string\n  unique coat, lives"], []),
            // Nil is not shared by any object, a default is shared by all.
            (["  coat string": "  tail string\n  unique tail"], []),
            (["  coat string": "  tail string = long\n  unique tail"], ["Cat.tail 3"]),
            (["  coat string": "  coat string! = red\n  unique coat"], ["Cat.coat 3"]),
            (["  coat string": "  coat string\n  unique owner"], []),
        ]
        for (lines, expected) in cases {
            let store = try filled()
            let sketch = Self.changed(lines)
            let plan = try plan(store, sketch)
            #expect(
                plan.violations.map { "\($0.entity).\($0.property ?? "") \($0.objectCount)" } == expected,
                "\(sketch)")
            if expected.isEmpty {
                try store.migrate(to: sketch)
            } else {
                #expect(throws: NSError.self) { try store.migrate(to: sketch) }
            }
        }
    }

    @Test("Objects of an entity that becomes abstract are counted")
    func abstract() throws {
        let store = try filled()
        let plan = try plan(
            store,
            Self.first.replacingOccurrences(of: "Dog: Being", with: "Dog: Being abstract\n  age int16"))
        #expect(plan.violations.map(\.entity) == ["Dog"])
        #expect(plan.violations.map(\.property) == [nil])
        #expect(plan.violations.map(\.objectCount) == [2])
    }

    @Test("Without changes, or if nothing can be inferred, no objects are counted")
    func nothing() throws {
        let store = try filled()
        #expect(try plan(store, Self.first).violations.isEmpty)
        let impossible = try plan(store, Self.changed(["lives int32": "lives date!"]))
        #expect(impossible.method == .impossible)
        #expect(impossible.violations.isEmpty)
    }
}
