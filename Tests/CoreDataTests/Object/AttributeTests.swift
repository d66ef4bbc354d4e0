import CoreData
import Foundation
import Testing

@Suite("Attributes")
@MainActor
struct AttributeTests {
    @Test("Every attribute type is read as saved, also after reopening the store")
    func roundTrip() throws {
        let stack = try CompanyStack()
        let badge = UUID()
        let born = Date(timeIntervalSinceReferenceDate: 12_345.5)
        let photo = Data((0..<200).map { UInt8($0) })
        stack.insert(
            "Employee",
            [
                "name": "Zoë 😀 with a name longer than fifteen bytes", "salary": 123_456_789_012,
                "badge": badge,
                "photo": photo, "home": URL(string: "https://example.com/zoe")!,
                "bonus": Decimal(string: "12.25")!,
                "score": 0.1, "ratio": Float(1.5), "active": true, "rank": -3, "born": born,
                "tags": ["a", "b"],
            ])
        try stack.context.save()
        let other = try stack.reopened()
        let read = try #require(try other.fetch("Employee").first)
        #expect(read.value(forKey: "name") as? String == "Zoë 😀 with a name longer than fifteen bytes")
        #expect(read.value(forKey: "salary") as? Int == 123_456_789_012)
        #expect(read.value(forKey: "badge") as? UUID == badge)
        #expect(read.value(forKey: "photo") as? Data == photo)
        #expect(read.value(forKey: "home") as? URL == URL(string: "https://example.com/zoe"))
        #expect((read.value(forKey: "bonus") as? NSDecimalNumber)?.decimalValue == Decimal(string: "12.25"))
        #expect(read.value(forKey: "score") as? Double == 0.1)
        #expect(read.value(forKey: "ratio") as? Float == 1.5)
        #expect(read.value(forKey: "active") as? Bool == true)
        #expect(read.value(forKey: "rank") as? Int16 == -3)
        #expect(read.value(forKey: "born") as? Date == born)
        #expect(read.value(forKey: "tags") as? [String] == ["a", "b"])
    }

    @Test("A decimal attribute declared as an object handles changes, values and nil")
    func decimalObject() throws {
        let stack = try CompanyStack()
        let employee = Employee(context: stack.context)
        for text in ["12.25", "-0.001", "12345678901234567890.125", "3"] {
            employee.bonus = NSDecimalNumber(string: text)
            #expect(employee.changedValues()["bonus"] as? NSDecimalNumber == NSDecimalNumber(string: text))
            try stack.context.save()
            let other = try stack.reopened()
            let read = try #require(try other.fetch("Employee").first as? Employee)
            // A SQLite store keeps what a double can hold.
            let kept =
                text.count > 15 && NSPersistentStore.StoreType.tested == .sqlite
                ? "12345678901234567000" : text
            #expect(read.bonus == NSDecimalNumber(string: kept))
        }
        employee.bonus = nil
        #expect(employee.bonus == nil)
        #expect(employee.hasChanges)
        try stack.context.save()
        let other = try stack.reopened()
        #expect(try other.fetch("Employee").first?.value(forKey: "bonus") == nil)
    }

    @Test("Typed accessors and key-value access read and write the same values")
    func typedAccess() throws {
        let stack = try CompanyStack()
        let employee = Employee(context: stack.context)
        #expect(employee.salary == 10)
        #expect(employee.name == nil)
        employee.name = "Ann"
        employee.salary = 7
        #expect(employee.value(forKey: "name") as? String == "Ann")
        #expect(employee.value(forKey: "salary") as? Int == 7)
        employee.setValue(nil, forKey: "name")
        #expect(employee.name == nil)
    }

    @Test("A property has its last value, whether that is in the row or beside it")
    func rewriting() throws {
        let stack = try CompanyStack()
        let employee = Employee(context: stack.context)
        let loose = Employee(entity: employee.entity, insertInto: nil)
        let long = "a name that is longer than a row holds within itself"
        for object in [employee, loose] {
            for name in ["short", long, nil, long + long, long, "", "fifteen bytes!!", nil, "last " + long] {
                object.name = name
                #expect(object.name == name)
                #expect(object.value(forKey: "name") as? String == name)
            }
            for salary: Int64 in [0, .min, 7] {
                object.salary = salary
                #expect(object.value(forKey: "salary") as? Int64 == salary)
            }
        }
        #expect(employee.hasChanges)
        #expect(!loose.hasChanges)
        try stack.context.save()
        employee.name = "again"
        #expect(employee.changedValues().keys.sorted() == ["name"])
        #expect(employee.committedValues(forKeys: ["name"])["name"] as? String == "last " + long)
        employee.name = "last " + long
        #expect(!employee.hasPersistentChangedValues)
        let other = try stack.reopened()
        let read = try #require(try other.fetch("Employee").first)
        #expect(read.value(forKey: "name") as? String == "last " + long)
    }

    @Test("A transient attribute is kept in the object and not in the store")
    func transient() throws {
        let stack = try CompanyStack()
        let employee = stack.insert("Employee", ["name": "Ann", "mood": "good"])
        try stack.context.save()
        #expect(employee.value(forKey: "mood") as? String == "good")
        let other = try stack.reopened()
        #expect(try other.fetch("Employee")[0].value(forKey: "mood") == nil)
    }

    @Test("changedValues has unsaved values, committedValues those of the store")
    func changedValues() throws {
        let stack = try CompanyStack()
        let employee = Employee(context: stack.context)
        employee.name = "Ann"
        try stack.context.save()
        #expect(!employee.hasChanges)
        #expect(employee.changedValues().isEmpty)
        employee.salary = 99
        #expect(employee.isUpdated)
        #expect(employee.hasPersistentChangedValues)
        #expect(employee.changedValues() as? [String: Int] == ["salary": 99])
        #expect(employee.committedValues(forKeys: ["salary"]) as? [String: Int] == ["salary": 10])
        employee.salary = 10
        #expect(employee.hasChanges)
        #expect(!employee.hasPersistentChangedValues)
    }

    @Test("An object ID leads to the same row through another coordinator on the store")
    func foreignIDs() throws {
        let stack = try CompanyStack()
        let employee = stack.insert("Employee", ["name": "Ann"])
        try stack.context.save()
        let other = try stack.reopened()
        let found = try other.context.existingObject(with: employee.objectID)
        #expect(found.value(forKey: "name") as? String == "Ann")
        #expect(other.context.object(with: employee.objectID) === found)
        #expect(other.context.registeredObject(for: employee.objectID) === found)
        let stores = other.context.persistentStoreCoordinator?.persistentStores
        #expect(found.objectID.persistentStore === stores?.first)
    }

    @Test("A class without an entity has an entity description without a name")
    func noEntity() {
        final class Stranger: NSManagedObject {}
        #expect(Stranger.entity().name == nil)
        #expect(NSManagedObject.entity().name == nil)
    }

    @Test("An object of a reset context is a fault until it is read, and then empty")
    func forgotten() throws {
        let stack = try CompanyStack()
        let employee = stack.insert("Employee", ["name": "Ann"])
        try stack.context.save()
        stack.context.reset()
        #expect(employee.isFault)
        #expect(employee.managedObjectContext == nil)
        employee.willAccessValue(forKey: nil)
        #expect(!employee.isFault)
        #expect(employee.value(forKey: "name") == nil)
    }

    @Test("An object ID's URI leads back to the object")
    func uri() throws {
        let stack = try CompanyStack()
        let employee = Employee(context: stack.context)
        #expect(employee.objectID.isTemporaryID)
        try stack.context.obtainPermanentIDs(for: [employee])
        let id = employee.objectID
        #expect(!id.isTemporaryID)
        try stack.context.save()
        #expect(employee.objectID == id)
        let uri = id.uriRepresentation()
        #expect(uri.absoluteString.hasPrefix("x-coredata://"))
        #expect(uri.lastPathComponent == "p1")
        let found = stack.coordinator.managedObjectID(forURIRepresentation: uri)
        #expect(found == id)
        let background = stack.sibling(.privateQueue)
        try background.performAndWait {
            let same = try background.existingObject(with: id)
            #expect(same.objectID == id)
            #expect(same !== employee)
        }
    }
}

/// Colours as three bytes, as an app might keep them.
private final class ByteTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [Int]).map { Data($0.map(UInt8.init)) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data)?.map(Int.init) }
}

@Suite("Transformable attributes")
@MainActor
struct TransformableTests {
    private func stack(_ name: String?) throws -> TestStack {
        let model = ModelSketch(
            """
            Paint
              colour transformable
              title string
            """
        ).model
        model.entitiesByName["Paint"]!.attributesByName["colour"]!.valueTransformerName = name
        return try TestStack(model)
    }

    @Test("A custom transformer's output is stored, and its reverse output is read")
    func ownTransformer() throws {
        let name = "Bytes-\(UUID())"
        ValueTransformer.setValueTransformer(ByteTransformer(), forName: NSValueTransformerName(name))
        let stack = try stack(name)
        let paint = stack.insert("Paint", ["colour": [1, 2, 3]])
        try stack.context.save()
        #expect(try stack.stored("Paint", "colour") as? [[Int]] == [[1, 2, 3]])
        paint.setValue([4, 5, 6], forKey: "colour")
        #expect(paint.changedValues()["colour"] as? [Int] == [4, 5, 6])
        #expect(paint.committedValues(forKeys: ["colour"])["colour"] as? [Int] == [1, 2, 3])
        paint.setValue(nil, forKey: "colour")
        try stack.context.save()
        #expect(try stack.stored("Paint", "colour").first.flatMap { $0 } == nil)
    }

    @Test(
        "Without a name, or with a name of Foundation's transformers, values are secure archives",
        arguments: [
            nil, "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
            "NSKeyedUnarchiveFromData",
            "NSUnarchiveFromData",
        ])
    func standardTransformer(_ name: String?) throws {
        if let name {
            let transformer = ValueTransformer(forName: NSValueTransformerName(name))
            #expect(transformer is NSSecureUnarchiveFromDataTransformer)
            #expect(
                NSSecureUnarchiveFromDataTransformer(forName: NSValueTransformerName(name)) === transformer)
            #expect(ValueTransformer.valueTransformerNames().contains(NSValueTransformerName(name)))
        }
        let stack = try stack(name)
        stack.insert("Paint", ["colour": ["red", "blue"]])
        try stack.context.save()
        #expect(try stack.stored("Paint", "colour") as? [[String]] == [["red", "blue"]])
    }

    @Test("Without its transformer an attribute reads as nil, and its data stays")
    func missingTransformer() throws {
        let name = NSValueTransformerName("Missing-\(UUID())")
        ValueTransformer.setValueTransformer(ByteTransformer(), forName: name)
        let stack = try stack(name.rawValue)
        stack.insert("Paint", ["colour": [1, 2, 3]])
        try stack.context.save()
        ValueTransformer.setValueTransformer(nil, forName: name)
        let other = try stack.reopened()
        let read = try #require(try other.fetch("Paint").first)
        #expect(read.value(forKey: "colour") == nil)
        read.setValue("sky", forKey: "title")
        try other.context.save()
        ValueTransformer.setValueTransformer(ByteTransformer(), forName: name)
        #expect(try stack.stored("Paint", "colour") as? [[Int]] == [[1, 2, 3]])
    }
}
