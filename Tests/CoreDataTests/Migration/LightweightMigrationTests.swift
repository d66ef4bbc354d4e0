import CoreData
import Foundation
import Testing

@Suite("Lightweight migration")
@MainActor
struct LightweightMigrationTests {
    private func texts(_ values: [Any?]) -> [String] { values.map { $0.map { "\($0)" } ?? "nil" } }

    @Test(
        "Attributes are added with their defaults, removed, and renamed by their identifiers",
        arguments: VersionedStore.Way.allCases)
    func attributes(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore(
            """
            Person
              name string
              years int16
              note string
            """, way)
        store.insert("Person", ["name": "a", "years": 3, "note": "gone"])
        store.insert("Person", ["name": "b"])
        try store.migrate(
            to: """
                Person
                  name string
                  age int32 was years
                  size int64! = 7
                  mail string
                """)
        #expect(texts(try store.value("age", of: "Person")) == ["3", "nil"])
        #expect(texts(try store.value("size", of: "Person")) == ["7", "7"])
        #expect(texts(try store.value("mail", of: "Person")) == ["nil", "nil"])
        guard way == .inPlace else { return }
        let columns = try PlainDatabase(store.url).columns(of: "ZPERSON")
        #expect(columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZAGE", "ZSIZE", "ZMAIL"])
    }

    @Test(
        "When the store is opened again nothing is migrated, and the store fits the new model",
        .ofSQLite("A file's metadata"))
    func stamped() throws {
        let store = try VersionedStore("Person\n  name string")
        store.insert("Person", ["name": "a"])
        let sketch = "Person\n  name string\n  age int16\nTeam\n  name string"
        try store.migrate(to: sketch)
        let identifier = store.coordinator.persistentStores[0].identifier
        try store.migrate(to: sketch, options: [:])
        #expect(store.coordinator.persistentStores[0].identifier == identifier)
        let model = ModelSketch(sketch).model
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store.folder.file())
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(metadata[NSPersistentStoreModelVersionChecksumKey] as? String == model.versionChecksum)
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(
            at: store.folder.file(), options: nil)
        #expect(cached.entityVersionHashesByName == model.entityVersionHashesByName)
    }

    @Test(
        "Attributes that become mandatory take their defaults where values are missing",
        arguments: VersionedStore.Way.allCases)
    func mandatory(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore("Person\n  name string\n  age int16", way)
        store.insert("Person", ["name": "a", "age": 3])
        store.insert("Person", ["name": "b"])
        try store.migrate(to: "Person\n  name string\n  age int16! = 18")
        #expect(texts(try store.value("age", of: "Person")) == ["3", "18"])
    }

    @Test(
        "A missing value of an attribute that becomes mandatory stops the migration",
        arguments: VersionedStore.Way.allCases)
    func missingMandatory(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore("Person\n  name string\n  age int16", way)
        store.insert("Person", ["name": "a"])
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: "Person\n  name string\n  age int16!")
        }
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["entity"] as? String == "Person")
        #expect(error?.userInfo["attribute"] as? String == "age")
        try store.migrate(to: "Person\n  name string\n  age int16", options: [:])
        #expect(texts(try store.value("name", of: "Person")) == ["a"])
    }

    @Test(
        "Numbers convert to other types, and values out of range stop the migration",
        arguments: VersionedStore.Way.allCases)
    func numbers(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore(
            "N\n  name string\n  a int16\n  b int64\n  c double\n  d double\n  e bool\n  f decimal", way)
        store.insert(
            "N", ["name": "1", "a": 5, "b": 70000, "c": 2.75, "d": 0.5, "e": true, "f": Decimal(12)])
        try store.migrate(
            to: "N\n  name string\n  a double\n  b int32\n  c int16\n  d decimal\n  e int64\n  f float")
        let object = try #require(try store.fetch("N").first)
        #expect(object.value(forKey: "a") as? Double == 5)
        #expect(object.value(forKey: "b") as? Int32 == 70000)
        #expect(object.value(forKey: "c") as? Int16 == 2)
        #expect(object.value(forKey: "d") as? NSDecimalNumber == NSDecimalNumber(string: "0.5"))
        #expect(object.value(forKey: "e") as? Int64 == 1)
        #expect(object.value(forKey: "f") as? Float == 12)
        let error = #expect(throws: NSError.self) {
            try store.migrate(
                to: "N\n  name string\n  a bool\n  b int16\n  c int16\n  d decimal\n  e int64\n  f float")
        }
        #expect(error?.code == NSMigrationError)
        #expect(error?.userInfo["attribute"] as? String == "b")
    }

    @Test(
        "Entities are added, removed and renamed, and get the numbers of a new store",
        arguments: VersionedStore.Way.allCases)
    func entities(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore("Bee\n  name string\nCow\n  name string\nYak\n  name string", way)
        for entity in ["Bee", "Cow", "Yak"] { store.insert(entity, ["name": entity]) }
        try store.migrate(
            to: "Ant\n  name string\nYak\n  name string\nZebu was Cow\n  name string")
        #expect(texts(try store.value("name", of: "Zebu")) == ["Cow"])
        #expect(texts(try store.value("name", of: "Yak")) == ["Yak"])
        store.insert("Ant", ["name": "new"])
        store.insert("Yak", ["name": "other"])
        try store.close()
        guard way == .inPlace else { return }
        let database = try PlainDatabase(store.url)
        #expect(
            try database.strings("SELECT Z_ENT || '|' || Z_NAME || '|' || Z_MAX FROM Z_PRIMARYKEY ORDER BY 1")
                == [
                    "1|Ant|1", "2|Yak|2", "3|Zebu|1",
                ])
        #expect(try database.strings("SELECT DISTINCT '' || Z_ENT FROM ZYAK") == ["2"])
        #expect(try database.strings("SELECT name FROM sqlite_master WHERE name = 'ZBEE'") == [])
    }

    @Test(
        "Relationships keep members when renamed, ordered, made to-many or given an inverse",
        arguments: VersionedStore.Way.allCases)
    func relationships(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore(
            """
            Team
              name string
              captain -> Player
              players ->> Player.team
              fans ->> Fan.teams
            Player
              name string
              team -> Team.players
            Fan
              name string
              teams ->> Team.fans
            """, way)
        let team = store.insert("Team", ["name": "t"])
        let players = ["a", "b", "c"].map { store.insert("Player", ["name": $0, "team": team]) }
        team.setValue(players[1], forKey: "captain")
        for name in ["x", "y"] { store.insert("Fan", ["name": name, "teams": [team] as NSSet]) }
        try store.migrate(
            to: """
                Club was Team
                  name string
                  captains ->> Player.leads was captain
                  members ->>> Player.club was players
                  admirers ->>> Fan.clubs was fans
                Player
                  name string
                  club -> Club.members was team
                  leads ->> Club.captains
                Fan
                  name string
                  clubs ->> Club.admirers was teams
                """)
        let club = try #require(try store.fetch("Club").first)
        #expect((club.value(forKeyPath: "captains.name") as? Set<String>) == ["b"])
        #expect((club.value(forKey: "members") as? NSOrderedSet)?.count == 3)
        #expect((club.value(forKey: "admirers") as? NSOrderedSet)?.count == 2)
        let player = try #require(try store.fetch("Player", "name == 'b'").first)
        #expect((player.value(forKey: "leads") as? Set<NSManagedObject>) == [club])
        #expect(texts(try store.value("club.name", of: "Player")) == ["t", "t", "t"])
        #expect(try store.fetch("Fan", "ANY clubs.name == 't'").count == 2)
    }

    @Test(
        "If a new to-one inverse has several candidates, the last object keeps it",
        arguments: VersionedStore.Way.allCases)
    func narrowedInverse(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore("A\n  name string\n  b -> B\nB\n  name string", way)
        let shared = store.insert("B", ["name": "b"])
        for name in ["1", "2", "3"] {
            store.insert("A", ["name": name, "b": shared])
            try store.context.save()
        }
        store.insert("A", ["name": "4", "b": store.insert("B", ["name": "c"])])
        try store.migrate(
            to: ModelSketch("A\n  name string\n  b -> B.a\nB\n  name string\n  a -> A.b").model,
            options: VersionedStore.verified)
        #expect(texts(try store.value("b.name", of: "A")) == ["nil", "nil", "b", "c"])
        #expect(texts(try store.value("a.name", of: "B")) == ["3", "4"])
    }

    @Test("A relationship to an entity replaced by another of the same name is an error")
    func namesake() throws {
        let store = try VersionedStore("A\n  name string\n  x -> X\nX\n  name string\nY\n  name string")
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: "A\n  name string\n  x -> X\nX was Y\n  name string")
        }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(
            cause?.localizedFailureReason?.contains("led to X, which is gone, and leads to X, which was Y")
                == true)
    }

    @Test(
        "Parents are added and removed, entities move, and relationships to them follow",
        arguments: VersionedStore.Way.allCases)
    func hierarchy(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore(
            """
            Cat
              name string
              lives int16
              owner -> Person.cats
            Dog
              name string
              owner -> Person.dogs
            Person
              name string
              cats ->> Cat.owner
              dogs ->> Dog.owner
              favourite -> Dog
            """, way)
        let person = store.insert("Person", ["name": "p"])
        for name in ["c1", "c2"] { store.insert("Cat", ["name": name, "lives": 9, "owner": person]) }
        let dogs = ["d1", "d2"].map { store.insert("Dog", ["name": $0, "owner": person]) }
        person.setValue(dogs[1], forKey: "favourite")
        try store.migrate(
            to: """
                Animal abstract
                  name string
                Cat: Animal
                  lives int16
                  owner -> Person.cats
                Dog: Animal
                  owner -> Person.dogs
                Person
                  name string
                  cats ->> Cat.owner
                  dogs ->> Dog.owner
                  favourite -> Animal
                """)
        #expect(texts(try store.value("name", of: "Animal")) == ["c1", "c2", "d1", "d2"])
        if way == .inPlace {
            let metadata = store.coordinator.persistentStores[0].metadata
            let moves = try #require(metadata?[PersistentStoreKeyMovesKey] as? [[String: Int]])
            #expect(moves.count == 1 && moves[0].keys.sorted() == ["Cat", "Dog"])
            #expect(moves[0]["Cat"] == 0 && moves[0]["Dog"] ?? 0 > 1)
        }
        var owner = try #require(try store.fetch("Person").first)
        #expect(owner.value(forKeyPath: "favourite.name") as? String == "d2")
        #expect(owner.value(forKeyPath: "dogs.name") as? Set<String> == ["d1", "d2"])
        #expect(owner.value(forKeyPath: "cats.@sum.lives") as? Int == 18)
        try store.migrate(
            to: """
                Cat
                  name string
                  lives int16
                  owner -> Person.cats
                Dog
                  name string
                  owner -> Person.dogs
                Person
                  name string
                  cats ->> Cat.owner
                  dogs ->> Dog.owner
                """)
        owner = try #require(try store.fetch("Person").first)
        #expect(owner.value(forKeyPath: "dogs.name") as? Set<String> == ["d1", "d2"])
        #expect(owner.value(forKeyPath: "cats.name") as? Set<String> == ["c1", "c2"])
        store.insert("Dog", ["name": "d3", "owner": owner])
        try store.context.save()
        #expect(try store.fetch("Dog").count == 3)
    }

    @Test(
        "A new constraint stops the migration at duplicate values, and otherwise applies after it",
        arguments: [VersionedStore.Way.inPlace, .copied])
    func constraints(_ way: VersionedStore.Way) throws {
        let store = try VersionedStore("Person\n  name string\n  mail string", way)
        for mail in ["1", "2"] { store.insert("Person", ["name": "n", "mail": mail]) }
        let error = #expect(throws: NSError.self) {
            try store.migrate(to: "Person\n  name string\n  mail string\n  unique name")
        }
        let cause = way == .inPlace ? error?.userInfo[NSUnderlyingErrorKey] as? NSError : error
        #expect(cause?.code == NSMigrationConstraintViolationError)
        #expect(error?.userInfo["entity"] as? String == "Person")
        try store.migrate(to: "Person\n  name string\n  mail string\n  unique mail")
        store.insert("Person", ["name": "n", "mail": "2"])
        #expect(throws: NSError.self) { try store.context.save() }
    }

    @Test(
        "Another version is refused without options, and a change that cannot be inferred is named"
    )
    func refusals() throws {
        let store = try VersionedStore("Person\n  name string\n  age string")
        store.insert("Person", ["name": "a"])
        let sketch = "Person\n  name string\n  age int16"
        for (options, code) in [
            ([:], NSPersistentStoreIncompatibleVersionHashError),
            (
                [NSMigratePersistentStoresAutomaticallyOption: true as NSNumber],
                NSMigrationMissingMappingModelError
            ),
            (VersionedStore.automatic, NSMigrationMissingMappingModelError),
        ] {
            let error = #expect(throws: NSError.self) { try store.migrate(to: sketch, options: options) }
            #expect(error?.code == code)
        }
        let error = #expect(throws: NSError.self) { try store.migrate(to: sketch) }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == NSInferredMappingModelError)
        #expect(cause?.userInfo["entity"] as? String == "Person")
        #expect(cause?.userInfo["property"] as? String == "age")
    }
}
