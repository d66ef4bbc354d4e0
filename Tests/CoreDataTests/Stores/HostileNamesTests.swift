import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import Foundation
import Testing

@testable import CoreData

/// Names are part of a store's SQL. A model may be made by hand, or come from an untrusted file.
@Suite("Unusual names")
@MainActor
struct HostileNamesTests {
    nonisolated static let names = [
        "x VARCHAR ); CREATE TABLE PWNED(a); --", "v, (SELECT 'leak') AS q", "two words", "quo\"te", "it's",
        "back`tick", "[bracket]", "semi;colon", "/* remark */", "-- remark", "new\nline", "%s %d %n", "?1",
        ":x",
        "$x", "é", "名前", "😀", "straße", "select", "0", "_pk", "_ent", "__old_x", "rowid", "a\\b", "\u{1}",
        ")", "\"",
        "'", "x\" INTEGER); DROP TABLE \"ZOWNER\"; --",
    ]

    /// Returns two entities, a parent and a composite, whose names all contain the given name.
    private static func sketch(_ name: String, _ ending: String = "") -> ModelSketch {
        typealias Property = ModelSketch.Property
        func property(_ suffix: String, _ type: String) -> Property {
            Property(name: name + suffix + ending, type: type)
        }
        func relationship(
            _ suffix: String, _ arrow: String, _ destination: String, _ inverse: String? = nil
        ) -> Property {
            Property(
                name: name + suffix + ending, arrow: arrow, destination: name + destination,
                inverse: inverse.map { name + $0 + ending })
        }
        var place = property("place", "composite")
        place.elements = [
            Property(name: name + "x" + ending, type: "double"), Property(name: name + "y", type: "string"),
        ]
        var sketch = ModelSketch("")
        sketch.entities = [
            ModelSketch.Entity(
                name: name + "Owner",
                properties: [
                    property("", "string"), property("count", "int64"), property("data", "external"), place,
                    property("latitude", "double"),
                    relationship("items", "->>", "Item", "owner"),
                    relationship("queue", "->>>", "Item", "holder"),
                    relationship("tags", "->>", "Owner", "tagged"),
                    relationship("tagged", "->>>", "Owner", "tags"),
                    relationship("friends", "->>", "Owner", "friends"), relationship("own", "->>>", "Item"),
                ],
                constraints: [[name + ending], [name + "count" + ending, name + ending]],
                indexes: [
                    .init(
                        name: name + "index",
                        elements: [.init(name: name + "count" + ending), .init(name: name + ending)]),
                    .init(
                        name: name + "near",
                        elements: [.init(name: name + "latitude" + ending, isSpatial: true)]),
                ]),
            ModelSketch.Entity(
                name: name + "Item",
                properties: [
                    property("", "string"), relationship("owner", "->", "Owner", "items"),
                    relationship("holder", "->", "Owner", "queue"),
                ]),
            ModelSketch.Entity(
                name: name + "Special", parent: name + "Owner", properties: [property("more", "date")]),
        ]
        sketch.configurations[name] = [name + "Owner", name + "Item", name + "Special"]
        return sketch
    }

    private static func model(_ name: String, _ ending: String = "") -> NSManagedObjectModel {
        let model = sketch(name, ending).model
        let owner = model.entitiesByName[name + "Owner"]!
        let text = owner.attributesByName[name + ending]!
        text.userInfo = ["FullTextIndex": "YES"]
        owner.attributesByName[name + "count" + ending]!.preservesValueInHistoryOnDeletion = true
        // The names are part of the deriving trigger's text, too. The model has the expression as a text, so
        // it can contain only names that the parser reads.
        guard (name + ending).allSatisfy({ $0.isLetter || $0 == "_" }) else { return model }
        let derived = NSDerivedAttributeDescription()
        derived.name = name + "derived" + ending
        derived.attributeType = .integer64AttributeType
        derived.isOptional = true
        let items = NSExpression(forKeyPath: name + "items" + ending)
        derived.derivationExpression = NSExpression(forFunction: "count:", arguments: [items])
        owner.properties.append(derived)
        return model
    }

    private func tables(at url: URL) throws -> [String] {
        let connection = try SQLiteStores.inspect(url.path)
        defer { connection.close() }
        var names: [String] = []
        try connection.forEachRow(of: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1") {
            row in
            if case .text(let name) = row.value(at: 0) { names.append(name) }
        }
        return names
    }

    @Test(
        "Objects of entities and properties with unusual names are saved, found and deleted",
        arguments: names, [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func everyday(_ name: String, _ type: String) throws {
        // XML cannot represent control characters.
        if type == NSXMLStoreType, name.contains("\u{1}") { return }
        let store = try VersionedStore(Self.model(name), type: type, configuration: name)
        let (one, two) = (store.insert(name + "Owner"), store.insert(name + "Special"))
        for (object, text) in [(one, "red"), (two, "green")] {
            object.setValue(text, forKey: name)
            object.setValue(text.count, forKey: name + "count")
            object.setValue(Data(repeating: 7, count: 200_000), forKey: name + "data")
            object.setValue([name + "x": 1.5, name + "y": text], forKey: name + "place")
            object.setValue(Double(text.count), forKey: name + "latitude")
        }
        two.setValue(Date(timeIntervalSinceReferenceDate: 5), forKey: name + "more")
        let items = (0..<3).map { store.insert(name + "Item", [name: "item \($0)"]) }
        one.setValue(Set(items), forKey: name + "items")
        two.setValue(NSOrderedSet(array: items.reversed()), forKey: name + "queue")
        one.setValue(Set([two]), forKey: name + "tags")
        one.setValue(Set([two]), forKey: name + "friends")
        two.setValue(NSOrderedSet(array: items), forKey: name + "own")
        try store.migrate(to: Self.model(name), options: [:])

        func fetch(_ format: String, _ arguments: Any...) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: name + "Owner")
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
            return try store.context.fetch(request).map { $0.value(forKey: name) as? String ?? "" }
        }
        let owners = try store.fetch(name + "Owner", by: name)
        #expect(try fetch("TRUEPREDICATE") == ["green", "red"])
        #expect(try fetch("%K == %@", name, "red") == ["red"])
        #expect(try fetch("%K BEGINSWITH[cd] %@", name, "GR") == ["green"])
        #expect(try fetch("%K BETWEEN {2, 4}", name + "latitude") == ["red"])
        #expect(try fetch("%K.%K == %@", name + "place", name + "y", "green") == ["green"])
        #expect(try fetch("ANY %K.%K == %@", name + "items", name, "item 1") == ["red"])
        #expect(try fetch("ANY %K.%K.%K == %@", name + "queue", name + "owner", name, "red") == ["green"])
        #expect(try fetch("%K.@count == 1 AND %K.@count == 0", name + "tags", name + "tagged") == ["red"])
        #expect(try fetch("%K.@count == 1", name + "friends") == ["green", "red"])
        #expect(try fetch("%K.@count == 3", name + "items") == ["red"])
        if owners.first?.entity.attributesByName[name + "derived"] != nil {
            #expect(owners.map { $0.value(forKey: name + "derived") as? Int } == [0, 3])
        }
        let (green, red) = (try #require(owners.first), try #require(owners.last))
        #expect((green.value(forKey: name + "queue") as? NSOrderedSet)?.count == 3)
        #expect((green.value(forKey: name + "own") as? NSOrderedSet)?.count == 3)
        #expect((red.value(forKey: name + "items") as? Set<NSManagedObject>)?.count == 3)
        #expect(red.value(forKey: name + "data") as? Data == Data(repeating: 7, count: 200_000))
        #expect(green.value(forKey: name + "more") != nil)

        let request = NSFetchRequest<NSDictionary>(entityName: name + "Owner")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [name, name + "count", name + "place"]
        request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
        #expect(try store.context.fetch(request).map { $0[name] as? String } == ["green", "red"])

        green.setValue("blue", forKey: name)
        store.context.delete(red)
        try store.migrate(to: Self.model(name), options: [:])
        #expect(try fetch("TRUEPREDICATE") == ["blue"])
        try store.close()
        if type == NSSQLiteStoreType { #expect(try !tables(at: store.url).contains("PWNED")) }
    }

    @Test("Batches, history, constraints and full-text searches work with unusual names", arguments: names)
    func statements(_ name: String) throws {
        let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]
        let store = try VersionedStore(Self.model(name), options: options)
        let entity = name + "Owner"
        let rows = (0..<5).map { [name: "text \($0)", name + "count": $0] as [String: Any] }
        let insertion = NSBatchInsertRequest(entityName: entity, objects: rows)
        try store.context.execute(insertion)
        store.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try store.context.execute(
            NSBatchInsertRequest(entityName: entity, objects: [[name: "text 0", name + "count": 50]]))
        let update = NSBatchUpdateRequest(entityName: entity)
        update.predicate = NSPredicate(format: "%K == %@", name, "text 1")
        update.propertiesToUpdate = [name + "count": 77]
        try store.context.execute(update)
        let doomed = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        doomed.predicate = NSPredicate(format: "%K == %@", name, "text 2")
        try store.context.execute(NSBatchDeleteRequest(fetchRequest: doomed))
        func counts(_ format: String, _ arguments: Any...) throws -> [Int?] {
            try store.context.fetch(entity, format, arguments, sortedBy: name)
                .map { $0.value(forKey: name + "count") as? Int }
        }
        #expect(try counts("TRUEPREDICATE") == [50, 77, 3, 4])
        #expect(try counts("%K matchesFullText: %@", name, "text 3") == [3])
        // A taken value is found by the index of the constraint.
        store.context.mergePolicy = NSMergePolicy.error
        store.insert(entity, [name: "text 4"])
        let error = #expect(throws: CocoaError.self) { try store.context.save() }
        #expect(error?.code == .managedObjectConstraintMerge)
        store.context.rollback()
        let history = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let result = try store.context.execute(history) as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        let changes = transactions.flatMap { $0.changes ?? [] }
        #expect(changes.contains { $0.updatedProperties?.contains { $0.name == name + "count" } ?? false })
        #expect(changes.contains { $0.tombstone?[name + "count"] as? Int == 2 })
        #expect(try !tables(at: store.url).contains("PWNED"))
    }

    @Test("A migration renames, adds and drops unusual names", arguments: names, VersionedStore.Way.allCases)
    func migration(_ name: String, _ way: VersionedStore.Way) throws {
        // XML cannot represent control characters.
        if way == .xml, name.contains("\u{1}") { return }
        let store = try VersionedStore(Self.model(name), way)
        let owner = store.insert(name + "Special", [name: "red", name + "count": 3])
        let items = (0..<3).map { store.insert(name + "Item", [name: "item \($0)"]) }
        owner.setValue(NSOrderedSet(array: items), forKey: name + "queue")
        owner.setValue(Set(items), forKey: name + "items")
        owner.setValue([name + "x": 1.5, name + "y": "z"], forKey: name + "place")
        let next = Self.model(name, "; DROP TABLE \"x\"'")
        for entity in next.entities {
            for property in entity.properties where property.name.hasSuffix("'") {
                property.renamingIdentifier = String(property.name.dropLast("; DROP TABLE \"x\"'".count))
            }
        }
        let dropped = try #require(next.entitiesByName[name + "Owner"])
        dropped.properties.removeAll { $0.name.hasPrefix(name + "latitude") }
        dropped.indexes.removeAll { $0.name == name + "near" }
        try store.migrate(to: next)
        let found = try #require(try store.fetch(name + "Special").first)
        func value(_ key: String) -> Any? { found.value(forKey: name + key + "; DROP TABLE \"x\"'") }
        #expect(value("") as? String == "red")
        #expect(value("count") as? Int == 3)
        #expect((value("queue") as? NSOrderedSet)?.count == 3)
        #expect((value("items") as? Set<NSManagedObject>)?.count == 3)
        #expect((value("place") as? [String: Any])?[name + "y"] as? String == "z")
        try store.close()
        if way == .inPlace { #expect(try !tables(at: store.url).contains("PWNED")) }
    }

    @Test("Names that differ in letter case have tables and columns of their own")
    func cases() throws {
        let text = """
            Foo
              name string
              NAME string
              tags ->> Bar.foos
              Tags ->> Bar.Foos
              unique name
              unique NAME
              index byName name
              index BYNAME NAME
            FOO
              name string
            Bar
              foos ->> Foo.tags
              Foos ->> Foo.Tags
              a_b string
              a string
              b string
              unique a, b
              unique a_b
            _PrimaryKey
              name string
            """
        let store = try VersionedStore(text)
        store.insert("Foo", ["name": "a", "NAME": "b"])
        store.insert("FOO", ["name": "c"])
        store.insert("_PrimaryKey", ["name": "d"])
        let bar = store.insert("Bar", ["a_b": "x", "a": "y", "b": "z"])
        try store.fetch("Foo")[0].setValue(Set([bar]), forKey: "Tags")
        try store.migrate(to: text, options: [:])
        #expect(try store.fetch("Foo").map { $0.value(forKey: "NAME") as? String } == ["b"])
        #expect(try store.fetch("Foo", "name == 'a' AND NAME == 'b'").count == 1)
        #expect(try store.fetch("FOO").map { $0.value(forKey: "name") as? String } == ["c"])
        #expect(try store.fetch("_PrimaryKey").map { $0.value(forKey: "name") as? String } == ["d"])
        let foo = try store.fetch("Foo")[0]
        #expect((foo.value(forKey: "Tags") as? Set<NSManagedObject>)?.count == 1)
        #expect((foo.value(forKey: "tags") as? Set<NSManagedObject>)?.isEmpty == true)
        // Both constraints hold, though their index names would be equal.
        for (key, value) in [("a_b", "x"), ("a", "y")] {
            store.insert("Bar", key == "a" ? ["a": "y", "b": "z"] : [key: value])
            #expect(throws: CocoaError.self) { try store.context.save() }
            store.context.rollback()
        }
    }

    @Test(
        "An XML store refuses names that it cannot distinguish, and escapes dots in names"
    )
    func xmlNames() throws {
        let store = try VersionedStore("Foo\n  name string\n  NAME string", type: NSXMLStoreType)
        store.insert("Foo", ["name": "a", "NAME": "b"])
        let error = #expect(throws: NSError.self) { try store.context.save() }
        #expect(error?.localizedFailureReason?.contains("Foo.NAME and Foo.name have one name") == true)
        store.context.rollback()

        var sketch = ModelSketch("Foo\n  name string")
        var place = ModelSketch.Property(name: "a.b", type: "composite")
        place.elements = [.init(name: "c.d", type: "string"), .init(name: "e", type: "string")]
        sketch.entities[0].properties += [
            place, .init(name: "a", type: "string"), .init(name: "a.e", type: "string"),
        ]
        let dotted = try VersionedStore(sketch.model, type: NSXMLStoreType)
        let values = ["a": "1", "a.e": "2", "a.b": ["c.d": "3", "e": "4"]] as [String: Any]
        dotted.insert("Foo", values)
        try dotted.migrate(to: sketch.model, options: [:])
        let found = try #require(try dotted.fetch("Foo").first)
        #expect(found.value(forKey: "a") as? String == "1")
        #expect(found.value(forKey: "a.e") as? String == "2")
        #expect(found.value(forKey: "a.b") as? [String: String] == ["c.d": "3", "e": "4"])
    }

    @Test("A name with a NUL character is refused with the model, by entity and property")
    func null() {
        let model = ModelSketch("Owner\n  a string").model
        model.entitiesByName["Owner"]?.attributesByName["a"]?.name = "a\0b"
        let error = #expect(throws: (any Error).self) { try model.requireUsable() }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("Owner.a\\0b: a name cannot contain the character NUL"))
    }
}
