import CoreData
import Foundation
import Testing

@Suite("What a migration in place keeps beside the rows")
@MainActor
struct StoreContentMigrationTests {
    @Test("What is gone is put aside when asked for, and dropped later piece by piece")
    func deferred() throws {
        let store = try VersionedStore(
            "Old\n  name string\nPerson\n  name string\n  photo external\n  note string")
        store.insert("Person", ["name": "a", "photo": Data(repeating: 1, count: 200_000), "note": "x"])
        store.insert("Old", ["name": "o"])
        var options = VersionedStore.automatic
        options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true as NSNumber
        try store.migrate(to: ModelSketch("Person\n  name string").model, options: options)
        #expect(try store.fetch("Person").count == 1)
        func leftovers() throws -> [String] {
            try PlainDatabase(store.folder.file()).strings(
                """
                SELECT name FROM pragma_table_info('ZPERSON') WHERE name LIKE 'Z\\_\\_OLD%' ESCAPE '\\' UNION ALL \
                SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_\\_OLD%' ESCAPE '\\' ORDER BY 1
                """)
        }
        let coordinator = store.coordinator
        func isPending() -> Bool {
            coordinator.persistentStores[0].metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey]
                != nil
        }
        #expect(try leftovers() == ["Z__OLD_ZNOTE", "Z__OLD_ZOLD", "Z__OLD_ZPHOTO"] && isPending())
        #expect(externalFiles(store).count == 1)
        try coordinator.finishDeferredLightweightMigrationTask()
        #expect(try leftovers().count == 2 && isPending())
        try coordinator.finishDeferredLightweightMigration()
        #expect(try leftovers() == [] && !isPending() && externalFiles(store).isEmpty)
        try coordinator.finishDeferredLightweightMigration()
        try store.migrate(to: ModelSketch("Person\n  name string").model, options: [:])
    }

    private func externalFiles(_ store: VersionedStore) -> [String] {
        let path = store.folder.url.appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA").path
        return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    @Test("Big values stay in their files; those of attributes and entities that go, go")
    func externalValues() throws {
        let store = try VersionedStore(
            "Film\n  name string\n  data external\nPhoto\n  name string\n  data external\n  other external")
        let big = Data(repeating: 7, count: 150_000)
        store.insert("Film", ["name": "f", "data": big])
        store.insert("Photo", ["name": "p", "data": big, "other": big])
        try store.context.save()
        #expect(externalFiles(store).count == 3)
        try store.migrate(to: "Picture was Photo\n  name string\n  bytes external was data")
        #expect(externalFiles(store).count == 1)
        #expect(try store.fetch("Picture").first?.value(forKey: "bytes") as? Data == big)
    }

    @Test("Inline values of attributes that come to allow external storage are read as before")
    func becomingExternal() throws {
        let store = try VersionedStore("Photo\n  name string\n  data data")
        let bytes = Data([0, 1, 0, 255])
        store.insert("Photo", ["name": "p", "data": bytes])
        store.insert("Photo", ["name": "q"])
        try store.migrate(to: "Photo\n  name string\n  data external")
        #expect(try store.value("data", of: "Photo").map { $0 as? Data } == [bytes, nil])
    }

    @Test("The history goes on: changes are of the entities, objects and properties that these have become")
    func history() throws {
        let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let options = VersionedStore.automatic.merging(tracking) { first, _ in first }
        let store = try VersionedStore(
            "Cow\n  name string\n  age int16\nOld\n  name string\nYak\n  name string", options: tracking)
        let cow = store.insert("Cow", ["name": "c", "age": 1])
        store.insert("Old", ["name": "o"])
        store.insert("Yak", ["name": "y"])
        try store.context.save()
        cow.setValue(2, forKey: "age")
        try store.context.save()
        try store.migrate(
            to: ModelSketch(
                """
                Animal
                  name string
                Ant
                  name string
                Bull: Animal was Cow
                  abc string
                  years int16 was age
                  zebra string
                Yak: Animal
                """
            ).model, options: options)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try store.context.execute(request) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        let changes = transactions.map { $0.changes ?? [] }
        #expect(Set(changes[0].compactMap(\.changedObjectID.entity.name)) == ["Bull", "Yak"])
        #expect(changes[1].first?.updatedProperties?.map(\.name) == ["years"])
        for change in changes.joined() {
            let object = try store.context.existingObject(with: change.changedObjectID)
            #expect(["c", "y"].contains(object.value(forKey: "name") as? String))
        }
    }

    @Test("Derived attributes that are new have their values, and go on being kept")
    func derived() throws {
        let store = try VersionedStore(
            "Team\n  name string\n  players ->> Player.team\nPlayer\n  name string\n  goals int16\n  team -> Team.players"
        )
        let team = store.insert("Team", ["name": "T"])
        for (name, goals) in [("a", 2), ("b", 3)] {
            store.insert("Player", ["name": name, "goals": goals, "team": team])
        }
        let model = ModelSketch(
            "Team\n  name string\n  players ->> Player.team\nPlayer\n  name string\n  goals int16\n  team -> Team.players"
        ).model
        func derive(_ name: String, _ type: NSAttributeType, _ format: String, _ entity: String) {
            let attribute = NSDerivedAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            attribute.isOptional = true
            attribute.derivationExpression = NSExpression(format: format)
            model.entitiesByName[entity]?.properties.append(attribute)
        }
        derive("size", .integer32AttributeType, "players.@count", "Team")
        derive("goals", .integer32AttributeType, "players.goals.@sum", "Team")
        derive("plain", .stringAttributeType, "lowercase:(name)", "Team")
        derive("teamName", .stringAttributeType, "team.name", "Player")
        try store.migrate(to: model)
        let found = try #require(try store.fetch("Team").first)
        #expect(found.value(forKey: "size") as? Int == 2 && found.value(forKey: "goals") as? Int == 5)
        #expect(found.value(forKey: "plain") as? String == "t")
        #expect(try store.value("teamName", of: "Player").map { $0 as? String } == ["T", "T"])
        store.insert("Player", ["name": "c", "goals": 4, "team": found])
        try store.context.save()
        store.context.refresh(found, mergeChanges: false)
        #expect(found.value(forKey: "size") as? Int == 3 && found.value(forKey: "goals") as? Int == 9)
    }

    @Test("Indexes of tables that do not change stay; nothing is written for what is only renamed or added")
    func untouched() throws {
        let store = try VersionedStore("Big\n  name string\n  unique name\nSmall\n  name string")
        for number in 0..<300 { store.insert("Big", ["name": "\(number)"]) }
        try store.context.save()
        try store.close()
        func pages() throws -> [String] {
            try PlainDatabase(store.folder.file()).strings(
                "SELECT name || ' ' || rootpage FROM sqlite_master WHERE tbl_name = 'ZBIG' ORDER BY 1")
        }
        let before = try pages()
        try store.migrate(
            to: "Big\n  name string\n  more int16\n  unique name\nSmall\n  name string\n  x string")
        #expect(try pages() == before)
        #expect(try store.fetch("Big").count == 300)
    }

    @Test("A store limited to a configuration keeps to it")
    func configuration() throws {
        func model(_ sketch: String, _ names: [String]) -> NSManagedObjectModel {
            let model = ModelSketch(sketch).model
            model.setEntities(names.map { model.entitiesByName[$0]! }, forConfigurationName: "Some")
            return model
        }
        let folder = try ScratchFolder()
        func open(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: "Some", at: folder.file(),
                options: VersionedStore.automatic)
            let context = NSManagedObjectContext(.mainQueue)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let old = try open(model("A\n  name string\nB\n  name string\nC\n  name string", ["B"]))
        _ = old.insert("B", ["name": "b"])
        try old.save()
        for store in old.persistentStoreCoordinator!.persistentStores {
            try old.persistentStoreCoordinator!.remove(store)
        }
        let new = try open(
            model("A\n  name string\n  x string\nB\n  name string\n  y string\nC\n  name string", ["B", "C"]))
        #expect(try new.fetch("B", nil, [], sortedBy: nil).count == 1)
        _ = new.insert("C", ["name": "c"])
        try new.save()
        #expect(try !PlainDatabase(folder.file()).has(table: "ZA"))
    }
}
