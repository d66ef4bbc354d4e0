import CoreData
import Foundation
import Testing

@Suite("Refreshing an object that was never saved")
@MainActor
struct RefreshedNewObjectTests {
    @Test(
        "Without merging the object becomes a fault, then has its defaults, and is saved with them"
    )
    func forgetting() throws {
        let (stack, _) = try TestStack.witnesses()
        let root = stack.insert("Node", ["name": "root"])
        let leaf = stack.insert("Node", ["name": "leaf", "number": 7])
        leaf.setValue(root, forKey: "parent")
        for _ in 0..<2 {
            stack.context.refresh(leaf, mergeChanges: false)
            #expect(leaf.isFault)
            #expect(leaf.isInserted)
            #expect(leaf.objectID.isTemporaryID)
            leaf.willAccessValue(forKey: nil)
            #expect(!leaf.isFault)
            #expect(!leaf.isDeleted)
            #expect(leaf.value(forKey: "name") == nil)
            #expect(leaf.value(forKey: "number") as? Int == 0)
            #expect(leaf.value(forKey: "parent") == nil)
            #expect(root.value(forKey: "children") as? NSSet == [])
            leaf.setValue("again", forKey: "name")
        }
        stack.context.refresh(leaf, mergeChanges: false)
        try stack.context.save()
        let reopened = try stack.reopened()
        let stored = try reopened.fetch("Node", "name == nil")
        #expect(stored.map { $0.value(forKey: "number") as? Int } == [0])
        #expect(try reopened.fetch("Node").count == 2)
    }

    @Test("With merging the object stays unchanged")
    func merging() throws {
        let (stack, _) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        stack.context.refresh(node, mergeChanges: true)
        stack.context.refreshAllObjects()
        #expect(!node.isFault)
        #expect(node.isInserted)
        #expect(node.value(forKey: "name") as? String == "a")
    }

    @Test("A nested context and a fetch see the object's current values")
    func readers() throws {
        let stack = try CompanyStack()
        let ann = stack.insert("Employee", ["name": "Ann", "salary": 3])
        stack.context.refresh(ann, mergeChanges: false)
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        let twin = try child.existingObject(with: ann.objectID)
        #expect(twin.value(forKey: "name") == nil)
        #expect(twin.value(forKey: "salary") as? Int == 10)
        stack.context.refresh(ann, mergeChanges: false)
        #expect(try stack.fetch("Employee", "salary == 10") == [ann])
        #expect(try stack.fetch("Employee", "salary == 3").isEmpty)
        stack.context.delete(ann)
        try stack.context.save()
        #expect(try stack.reopened().fetch("Employee").isEmpty)
    }
}
