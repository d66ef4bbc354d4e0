import CoreData
import Foundation
import Testing

@Suite("Transient attributes")
@MainActor
struct TransientTests {
    private func stack() throws -> ModelStack {
        func attribute(_ name: String, _ type: NSAttributeType, _ value: Any? = nil) -> NSAttributeDescription
        {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isTransient = name != "name"
            attribute.isOptional = value == nil
            attribute.defaultValue = value
            return attribute
        }
        let car = NSEntityDescription()
        car.name = "Car"
        car.properties = [
            attribute("name", .stringAttributeType), attribute("isMoving", .booleanAttributeType, false),
            attribute("speed", .integer64AttributeType),
        ]
        return try ModelStack([car])
    }

    @Test("A fetched or refreshed object has the transient attribute's default, and saves")
    func defaults() throws {
        let stack = try stack()
        stack.insert("Car", ["name": "a"])
        try stack.context.save()
        let fresh = try stack.reopened()
        let car = try #require(try fresh.fetch("Car").first)
        #expect(car.value(forKey: "isMoving") as? Bool == false)
        #expect(car.value(forKey: "speed") == nil)
        let other = try stack.reopened()
        let changed = try #require(try other.fetch("Car").first)
        changed.setValue(true, forKey: "isMoving")
        other.context.refresh(changed, mergeChanges: false)
        #expect(changed.value(forKey: "isMoving") as? Bool == false)
        changed.setValue("b", forKey: "name")
        try other.context.save()
        #expect(try stack.stored("Car", "name") as? [String] == ["b"])
    }

    @Test("A child's save passes on exactly the transient values that it set")
    func nesting() throws {
        let stack = try stack()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        let id = try child.performAndWait {
            let car = child.insert("Car", ["name": "a", "speed": 50])
            try child.save()
            return car.objectID
        }
        let car = try stack.context.existingObject(with: id)
        #expect(car.value(forKey: "speed") as? Int == 50)
        try stack.context.save()
        try child.performAndWait {
            let own = try child.fetch("Car", nil, [], sortedBy: nil)[0]
            own.setValue(30, forKey: "speed")
            try child.save()
        }
        #expect(car.value(forKey: "speed") as? Int == 30)
        #expect(stack.context.hasChanges)
        #expect(!car.hasPersistentChangedValues)
        car.setValue(true, forKey: "isMoving")
        try child.performAndWait {
            child.reset()
            let own = try child.fetch("Car", nil, [], sortedBy: nil)[0]
            own.setValue("b", forKey: "name")
            try child.save()
        }
        #expect(car.value(forKey: "name") as? String == "b")
        #expect(car.value(forKey: "isMoving") as? Bool == true)
        #expect(car.value(forKey: "speed") as? Int == 30)
    }
}
