import CoreData
import Foundation
import Testing

/// A house with an address, which has a place on the map within it, and rules of its own.
private enum Houses {
    static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            House
              name string
              address composite
              address.street string
              address.number int16
              address.since date
              address.price decimal
              address.isSold bool
              address.id uuid
              address.photo data
              address.page uri
              address.tags transformable
              address.place composite
              address.place.latitude double
              address.place.longitude double
              people ->> Person.house
            Person
              name string
              house -> House.people
            """
        ).model
    }

    static var everything: [String: Any] {
        [
            "street": "Hauptstraße", "number": 12, "since": Date(timeIntervalSinceReferenceDate: 1234.5),
            "price": NSDecimalNumber(string: "123456.78"), "isSold": true,
            "id": UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!, "photo": Data([0, 1, 2]),
            "page": URL(string: "https://example.com/a")!, "tags": ["old", "quiet"] as NSArray,
            "place": ["latitude": 48.5, "longitude": -9.25],
        ]
    }
}

@Suite("Composite attributes")
@MainActor
struct CompositeAttributeTests {
    typealias StoreType = NSPersistentStore.StoreType
    nonisolated static let types = StoreType.all

    private func address(_ object: NSManagedObject) -> [String: Any]? {
        object.value(forKey: "address") as? [String: Any]
    }

    @Test("Every kind of element, nested ones too, is read as it was saved", arguments: types)
    func everyKind(_ type: StoreType) throws {
        let stack = try TestStack(Houses.model(), type: type)
        let house = stack.insert("House", ["name": "a", "address": Houses.everything])
        stack.insert("House", ["name": "b"])
        try stack.context.save()
        let context = stack.sibling()
        let found = try #require(
            try context.existingObject(with: house.objectID).value(forKey: "address") as? NSDictionary)
        #expect(found == Houses.everything as NSDictionary)
        #expect(
            try context.fetch("House", "name == 'b'", [], sortedBy: nil)[0].value(forKey: "address") == nil)
    }

    @Test("Composite values survive reopening the store", arguments: StoreType.all.filter { $0 != .inMemory })
    func reopened(_ type: StoreType) throws {
        let stack = try TestStack(Houses.model(), type: type)
        stack.insert("House", ["address": Houses.everything])
        stack.insert("House", ["address": ["street": ""]])
        try stack.context.save()
        let again = try TestStack(Houses.model(), in: stack.folder, type: type)
        let values = try again.fetch("House").compactMap { $0.value(forKey: "address") as? NSDictionary }
        #expect(Set(values) == [Houses.everything as NSDictionary, ["street": ""] as NSDictionary])
    }

    @Test("Key paths lead into composites, and a composite without values is nil", arguments: types)
    func access(_ type: StoreType) throws {
        let stack = try TestStack(Houses.model(), type: type)
        let house = stack.insert("House", ["address": Houses.everything])
        #expect(house.value(forKeyPath: "address.street") as? String == "Hauptstraße")
        #expect(house.value(forKeyPath: "address.place.latitude") as? Double == 48.5)
        #expect(house.value(forKeyPath: "address.tags") as? NSArray == ["old", "quiet"])
        house.setValue(["street": NSNull(), "place": [String: Any]()] as [String: Any], forKey: "address")
        #expect(house.value(forKey: "address") == nil)
        house.setValue(["street": "x"] as NSDictionary, forKey: "address")
        #expect(address(house)?.count == 1)
    }

    @Test("A change of one element is a change of the attribute, and is undone with it", arguments: types)
    func changes(_ type: StoreType) throws {
        let stack = try TestStack(Houses.model(), type: type)
        let manager = UndoManager()
        stack.context.undoManager = manager
        let house = stack.insert("House", ["address": ["street": "a", "number": 1] as [String: Any]])
        try stack.context.save()
        manager.removeAllActions()
        house.setValue(["street": "a", "number": 1] as [String: Any], forKey: "address")
        #expect(house.changedValues().isEmpty)
        #expect(!house.hasPersistentChangedValues)
        house.setValue(["street": "a", "number": 2] as [String: Any], forKey: "address")
        #expect(
            house.changedValues()["address"] as? NSDictionary == ["street": "a", "number": 2] as NSDictionary)
        let committed = house.committedValues(forKeys: ["address"])["address"] as? NSDictionary
        #expect(committed == ["street": "a", "number": 1] as NSDictionary)
        stack.context.processPendingChanges()
        manager.undo()
        #expect(house.value(forKeyPath: "address.number") as? Int == 1)
        manager.redo()
        try stack.context.save()
        let context = stack.sibling()
        let other = try context.existingObject(with: house.objectID)
        #expect(other.value(forKeyPath: "address.number") as? Int == 2)
    }

    @Test("Predicates and sort descriptors use elements", arguments: types)
    func queries(_ type: StoreType) throws {
        let stack = try TestStack(Houses.model(), type: type)
        for (name, street, latitude) in [("a", "Oak", 3.0), ("b", "Elm", 2.0), ("c", "Ash", 1.0)] {
            stack.insert(
                "House",
                [
                    "name": name,
                    "address": ["street": street, "place": ["latitude": latitude]] as [String: Any],
                ])
        }
        let empty = stack.insert("House", ["name": "d"])
        let person = stack.insert("Person", ["name": "Ann"])
        try stack.context.save()
        person.setValue(try stack.fetch("House", "name == 'b'")[0], forKey: "house")
        try stack.context.save()
        func names(_ format: String, _ arguments: Any..., by keys: [String] = ["name"]) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "House")
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
            return try stack.context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(try names("address.street == 'Elm'") == ["b"])
        #expect(try names("address.street BEGINSWITH[c] 'a' OR address.place.latitude > 2.5") == ["a", "c"])
        #expect(try names("address == nil") == ["d"])
        #expect(try names("address.place != nil", by: ["address.place.latitude"]) == ["c", "b", "a"])
        #expect(try names("address.street IN {'Oak', 'Ash'}", by: ["address.street"]) == ["c", "a"])
        #expect(
            try names("address == %@", ["street": "Oak", "place": ["latitude": 3.0]] as NSDictionary) == ["a"]
        )
        #expect(try names("address.street != nil AND ANY people.name == 'Ann'") == ["b"])
        let people = NSFetchRequest<NSManagedObject>(entityName: "Person")
        people.predicate = NSPredicate(format: "house.address.place.latitude == 2")
        #expect(try stack.context.fetch(people) == [person])
        // Unsaved values are seen, too.
        empty.setValue(["street": "Fir"], forKey: "address")
        #expect(try names("address.street == 'Fir'") == ["d"])
        #expect(try names("address == nil") == [])
    }

    @Test(
        "Dictionaries contain elements and composites; elements are counted, grouped and summed",
        arguments: types)
    func dictionaries(_ type: StoreType) throws {
        let stack = try TestStack(Houses.model(), type: type)
        for (street, number) in [("Oak", 1), ("Oak", 5), ("Elm", 2)] {
            stack.insert("House", ["address": ["street": street, "number": number] as [String: Any]])
        }
        try stack.context.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "House")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["address.street", "address"]
        request.sortDescriptors = [NSSortDescriptor(key: "address.number", ascending: true)]
        let rows = try stack.context.fetch(request)
        #expect(rows.map { $0["address.street"] as? String } == ["Oak", "Elm", "Oak"])
        #expect(rows[1]["address"] as? NSDictionary == ["street": "Elm", "number": 2] as NSDictionary)
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(format: "sum:(address.number)")
        total.expressionResultType = .integer64AttributeType
        request.propertiesToFetch = ["address.street", total]
        request.propertiesToGroupBy = ["address.street"]
        request.sortDescriptors = [NSSortDescriptor(key: "address.street", ascending: true)]
        #expect(try stack.context.fetch(request).map { $0["total"] as? Int } == [2, 6])
    }

    @Test("New objects have the elements' defaults, and elements are validated unless all are nil")
    func rules() throws {
        let model = ModelSketch(
            """
            House
              inside composite
              inside.street string!
              inside.size int32 = 3
            """
        ).model
        let house = try #require(model.entitiesByName["House"])
        let inside = try #require(house.attributesByName["inside"] as? NSCompositeAttributeDescription)
        inside.elements[1].setValidationPredicates(
            [NSPredicate(format: "SELF <= 10")], withValidationWarnings: ["too large"])
        let stack = try TestStack(model, type: .inMemory)
        let object = stack.insert("House")
        #expect(object.value(forKey: "inside") as? NSDictionary == ["size": 3] as NSDictionary)
        func failure() throws -> NSError {
            try #require(#expect(throws: NSError.self) { try stack.context.save() })
        }
        var error = try failure()
        #expect(error.code == NSValidationMissingMandatoryPropertyError)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "inside.street")
        object.setValue(["street": "x", "size": 11] as [String: Any], forKey: "inside")
        error = try failure()
        #expect(error.code == NSManagedObjectValidationError)
        #expect(error.localizedDescription == "too large")
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "inside.size")
        #expect(error.userInfo[NSValidationValueErrorKey] as? Int == 11)
        object.setValue(nil, forKey: "inside")
        try stack.context.save()
    }

    @Test("Batches write composites and refuse unknown elements")
    func batches() throws {
        let stack = try TestStack(Houses.model())
        let rows: [[String: Any]] = [["name": "a", "address": Houses.everything], ["name": "b"]]
        try stack.context.execute(NSBatchInsertRequest(entityName: "House", objects: rows))
        let houses = try stack.fetch("House", "name == 'a'")
        #expect(houses[0].value(forKey: "address") as? NSDictionary == Houses.everything as NSDictionary)
        let update = NSBatchUpdateRequest(entityName: "House")
        update.propertiesToUpdate = [
            "address": ["street": "new", "place": ["latitude": 1.0]] as [String: Any]
        ]
        try stack.context.execute(update)
        let expected = ["street": "new", "place": ["latitude": 1.0]] as NSDictionary
        #expect(try stack.stored("House", "address").map { $0 as? NSDictionary } == [expected, expected])
        let wrong = NSBatchInsertRequest(
            entityName: "House", objects: [["address": ["zip": "1"]] as [String: Any]])
        let error = #expect(throws: NSError.self) { try stack.context.execute(wrong) }
        #expect(error?.localizedFailureReason?.contains("House.address has no element \"zip\"") == true)
    }

    @Test("A composite without elements, which models may have, is always nil", arguments: types)
    func empty(_ type: StoreType) throws {
        let model = ModelSketch(
            """
            House
              nothing composite
              little composite
              little.less composite
              more composite
              more.x double
            """
        ).model
        let stack = try TestStack(model, type: type)
        let values: [String: Any] = [
            "nothing": [String: Any](), "little": ["less": [String: Any]()], "more": ["x": 1.5],
        ]
        let house = stack.insert("House", values)
        try stack.context.save()
        stack.context.refresh(house, mergeChanges: false)
        #expect(house.value(forKey: "nothing") == nil)
        #expect(house.value(forKey: "little") == nil)
        #expect(house.value(forKeyPath: "more.x") as? Double == 1.5)
        for format in ["nothing == nil", "little.less == nil", "more != nil"] {
            #expect(try stack.fetch("House", format) == [house], "\(format)")
        }
    }

    @Test("Store-trump batches replace a missing composite as a whole, or keep the stored one")
    func filling() throws {
        let model = Houses.model()
        model.entitiesByName["House"]?.uniquenessConstraints = [["name"]]
        let stack = try TestStack(model)
        stack.insert("House", ["name": "numbered", "address": ["number": 1] as [String: Any]])
        stack.insert("House", ["name": "bare"])
        try stack.context.save()
        let address: [String: Any] = ["street": "a", "place": ["latitude": 1.5]]
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try stack.context.execute(
            NSBatchInsertRequest(
                entityName: "House",
                objects: ["numbered", "bare"].map { ["name": $0, "address": address] as [String: Any] }))
        let context = stack.sibling()
        let found = try context.fetch("House", nil, [], sortedBy: "name")
        #expect(
            found.map { $0.value(forKey: "address") as? NSDictionary } == [
                address as NSDictionary, ["number": 1] as NSDictionary,
            ])
    }

    @Test("A conflict has whole composites, and the winning side keeps all its elements")
    func conflicts() throws {
        let stack = try TestStack(Houses.model())
        let house = stack.insert("House", ["address": ["street": "a", "number": 1] as [String: Any]])
        try stack.context.save()
        let other = stack.sibling()
        let theirs = try other.existingObject(with: house.objectID)
        theirs.setValue(["street": "theirs", "number": 1] as [String: Any], forKey: "address")
        house.setValue(["street": "a", "number": 7] as [String: Any], forKey: "address")
        try other.save()
        let error = #expect(throws: NSError.self) { try stack.context.save() } as NSError?
        let conflict = (error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first
        #expect(
            conflict?.objectSnapshot?["address"] as? NSDictionary == ["street": "a", "number": 7]
                as NSDictionary)
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(
            try stack.stored("House", "address")[0] as? NSDictionary == ["street": "a", "number": 7]
                as NSDictionary)
    }

    @Test(
        "A store that changes its type keeps its composites", arguments: [StoreType.xml, .binary, .inMemory])
    func moving(_ type: StoreType) throws {
        let stack = try TestStack(Houses.model())
        stack.insert("House", ["address": Houses.everything])
        try stack.context.save()
        let store = stack.coordinator.persistentStores[0]
        try stack.coordinator.migratePersistentStore(
            store, to: stack.folder.file("moved"), type: type)
        let context = stack.sibling()
        let found = try context.fetch("House", nil, [], sortedBy: nil)
        #expect(
            found.map { $0.value(forKey: "address") as? NSDictionary } == [Houses.everything as NSDictionary])
    }

    @Test("Different elements make different versions of an entity")
    func hashes() throws {
        let (first, second) = (Houses.model(), Houses.model())
        #expect(first.entityVersionHashesByName == second.entityVersionHashesByName)
        let address =
            second.entitiesByName["House"]?.attributesByName["address"] as? NSCompositeAttributeDescription
        address?.elements.removeLast()
        #expect(first.entityVersionHashesByName["House"] != second.entityVersionHashesByName["House"])
        #expect(first.entityVersionHashesByName["Person"] == second.entityVersionHashesByName["Person"])
    }
}
