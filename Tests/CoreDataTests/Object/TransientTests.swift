import CoreData
import Foundation
import Testing

@Suite("Transient attributes")
@MainActor
struct TransientTests {
    private func stack() throws -> TestStack {
        try TestStack(
            """
            Car
              name string
              isMoving bool! = false transient
              speed int64 transient
            """)
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
