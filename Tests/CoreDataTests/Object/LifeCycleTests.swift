import CoreData
import Foundation
import Testing

@Suite("The life of an object")
@MainActor
struct LifeCycleTests {
    @Test("Insert, update and delete call their hooks in order, and an empty save calls none")
    func order() throws {
        let (stack, log) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        #expect(log.take() == ["awakeFromInsert", "willSave", "validateForInsert", "didSave"])
        node.setValue("b", forKey: "name")
        try stack.context.save()
        #expect(log.take() == ["willSave", "validateForUpdate", "didSave"])
        try stack.context.save()
        #expect(log.take().isEmpty)
        stack.context.delete(node)
        #expect(log.take() == ["prepareForDeletion"])
        try stack.context.save()
        #expect(log.take().prefix(2) == ["willSave", "validateForDelete"])
    }

    @Test("In awakeFromInsert an object is in its context, inserted and has its defaults")
    func awakeFromInsert() throws {
        let (stack, log) = try TestStack.witnesses()
        nonisolated(unsafe) var seen: [Bool] = []
        log.awakeFromInsert = { node in
            seen = [
                node.managedObjectContext != nil, node.isInserted, node.objectID.isTemporaryID,
                node.value(forKey: "number") as? Int == 0,
            ]
            node.setValue("given", forKey: "name")
        }
        let node = NSEntityDescription.insertNewObject(forEntityName: "Node", into: stack.context)
        #expect(seen == [true, true, true, true])
        #expect(node.value(forKey: "name") as? String == "given")
        let loose = NSManagedObject(entity: node.entity, insertInto: nil)
        #expect(loose.managedObjectContext == nil)
        #expect(!loose.isInserted)
        #expect(!loose.hasChanges)
        seen = []
        let free = Witness(entity: node.entity, insertInto: nil)
        #expect(seen.isEmpty)
        stack.context.insert(free)
        #expect(!seen.isEmpty)
        #expect(free.isInserted)
        stack.context.insert(free)
        #expect(stack.context.insertedObjects == [node, free])
    }

    @Test("Changes made in awakeFromFetch are not unsaved changes")
    func awakeFromFetch() throws {
        let (stack, log) = try TestStack.witnesses()
        stack.insert("Node", ["name": "a"])
        try stack.context.save()
        stack.context.reset()
        _ = log.take()
        log.awakeFromFetch = { node in
            node.setPrimitiveValue("derived", forKey: "note")
            node.setValue(5, forKey: "number")
        }
        let node = try #require(try stack.fetch("Node").first)
        #expect(log.take().isEmpty)
        #expect(node.isFault)
        #expect(node.value(forKey: "note") as? String == "derived")
        #expect(log.take() == ["awakeFromFetch"])
        #expect(!node.hasChanges)
        #expect(!stack.context.hasChanges)
    }

    @Test("Changes made in willSave are saved, and willSave runs until nothing changes")
    func willSaveUntilSettled() throws {
        let (stack, log) = try TestStack.witnesses()
        nonisolated(unsafe) var runs = 0
        log.willSave = { node in
            runs += 1
            let number = node.value(forKey: "number") as? Int ?? 0
            if number < 3 { node.setValue(number + 1, forKey: "number") }
        }
        stack.insert("Node", ["name": "a"])
        try stack.context.save()
        #expect(runs == 4)
        #expect(try stack.stored("Node", "number") as? [Int] == [3])
    }

    @Test("willSave may insert, change and delete other objects, whose willSave runs too")
    func willSaveSpreads() throws {
        let (stack, log) = try TestStack.witnesses()
        let old = stack.insert("Node", ["name": "old"])
        let other = stack.insert("Node", ["name": "other"])
        try stack.context.save()
        _ = log.take()
        nonisolated(unsafe) var done = false
        log.willSave = { node in
            guard !done, let context = node.managedObjectContext else { return }
            done = true
            context.delete(old)
            other.setValue("changed", forKey: "name")
            NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
                .setValue("new", forKey: "name")
        }
        stack.insert("Node", ["name": "first"])
        try stack.context.save()
        #expect(log.take().count { $0 == "willSave" } == 4)
        let names = try stack.stored("Node", "name").compactMap { $0 as? String }
        #expect(names.sorted() == ["changed", "first", "new"])
    }

    @Test("A primitive change in willSave is saved and does not run it again")
    func primitiveInWillSave() throws {
        let (stack, log) = try TestStack.witnesses()
        log.willSave = { $0.setPrimitiveValue(9, forKey: "number") }
        stack.insert("Node", ["name": "a"])
        try stack.context.save()
        #expect(log.take().count { $0 == "willSave" } == 1)
        #expect(try stack.stored("Node", "number") as? [Int] == [9])
    }

    @Test("In didSave an object is unchanged with a permanent ID, and new changes are unsaved")
    func didSave() throws {
        let (stack, log) = try TestStack.witnesses()
        nonisolated(unsafe) var clean = false
        log.didSave = { node in
            clean = !node.hasChanges && !node.isInserted && !node.objectID.isTemporaryID
            node.setValue("later", forKey: "name")
        }
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        #expect(clean)
        #expect(node.isUpdated)
        #expect(stack.context.hasChanges)
    }

    @Test("prepareForDeletion sees whole relationships and runs once per object, even in cascades")
    func prepareForDeletion() throws {
        let (stack, log) = try TestStack.witnesses()
        let root = stack.insert("Node", ["name": "root"])
        for name in ["a", "b"] { stack.insert("Node", ["name": name, "parent": root]) }
        try stack.context.save()
        _ = log.take()
        nonisolated(unsafe) var children: [Int] = []
        log.prepareForDeletion = { children.append($0.value(forKeyPath: "children.@count") as? Int ?? -1) }
        stack.context.delete(root)
        stack.context.delete(root)
        #expect(children == [2])
        stack.context.processPendingChanges()
        #expect(children == [2, 0, 0])
        #expect(stack.context.deletedObjects.count == 3)
    }

    @Test("willTurnIntoFault and didTurnIntoFault run once, and not for faults")
    func faulting() throws {
        let (stack, log) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        _ = log.take()
        stack.context.refresh(node, mergeChanges: false)
        stack.context.refresh(node, mergeChanges: false)
        #expect(log.take() == ["willTurnIntoFault", "didTurnIntoFault"])
        #expect(node.isFault)
        #expect(node.faultingState != 0)
        _ = node.value(forKey: "name")
        #expect(node.faultingState == 0)
    }

    @Test("Rollback and refresh tell the object why its values changed")
    func snapshotEvents() throws {
        let (stack, log) = try TestStack.witnesses()
        let node = stack.insert("Node", ["name": "a"])
        try stack.context.save()
        node.setValue("b", forKey: "name")
        _ = log.take()
        stack.context.rollback()
        #expect(log.take() == ["awakeFromSnapshotEvents \(NSSnapshotEventType.rollback.rawValue)"])
        node.setValue("b", forKey: "name")
        stack.context.refresh(node, mergeChanges: true)
        #expect(log.take() == ["awakeFromSnapshotEvents \(NSSnapshotEventType.refresh.rawValue)"])
    }
}
