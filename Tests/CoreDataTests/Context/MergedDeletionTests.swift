import CoreData
import Foundation
import Testing

@Suite("Deletions that a context merges")
@MainActor
struct MergedDeletionTests {
    /// An employee in a department, both loaded; another context deletes the employee.
    private let stack: TestStack
    private let department: NSManagedObject
    private let ann: NSManagedObject
    private let other: NSManagedObjectContext

    init() throws {
        stack = try CompanyStack()
        department = stack.insert("Department", ["name": "A"])
        ann = stack.insert("Employee", ["name": "Ann", "department": department])
        try stack.context.save()
        other = stack.sibling(.privateQueue)
    }

    private func deleteElsewhere() throws {
        let id = ann.objectID
        try other.performAndWait {
            other.delete(other.object(with: id))
            try other.save()
        }
        merge(NSDeletedObjectIDsKey, id)
    }

    private func merge(_ key: String, _ id: NSManagedObjectID) {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: [id]], into: [stack.context])
    }

    @Test("After a merged deletion an object is deleted and not fetched, but has values until a save")
    func untilSave() throws {
        try deleteElsewhere()
        let context = stack.context
        #expect(ann.isDeleted)
        #expect(ann.managedObjectContext === context)
        #expect(context.hasChanges)
        #expect(context.deletedObjects == [ann])
        #expect(context.registeredObjects.contains(ann))
        #expect(context.updatedObjects.isEmpty)
        #expect(!department.hasChanges)
        #expect(ann.value(forKey: "name") as? String == "Ann")
        #expect(try stack.fetch("Employee").isEmpty)
        #expect((department.value(forKey: "employees") as? Set<NSManagedObject>)?.isEmpty == true)
        #expect(throws: NSError.self) { try context.existingObject(with: ann.objectID) }
        context.delete(ann)
        context.insert(ann)
        context.refresh(ann, mergeChanges: true)
        context.processPendingChanges()
        #expect(ann.isDeleted)
        #expect(context.deletedObjects == [ann])
        try context.save()
        #expect(!ann.isDeleted)
        #expect(ann.managedObjectContext == nil)
        #expect(!context.hasChanges)
        #expect(context.deletedObjects.isEmpty)
        #expect(!context.registeredObjects.contains(ann))
    }

    @Test("The next save reports the merged deletion in addition to its own changes")
    func save() throws {
        let reader = stack.sibling()
        reader.automaticallyMergesChangesFromParent = true
        let twin = reader.object(with: ann.objectID)
        try deleteElsewhere()
        department.setValue("B", forKey: "name")
        nonisolated(unsafe) var infos: [[AnyHashable: Any]] = []
        let names: [NSNotification.Name] = [
            .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: stack.context, queue: nil) {
                infos.append($0.userInfo ?? [:])
            }
        }
        defer { tokens.forEach(NotificationCenter.default.removeObserver) }
        let id = ann.objectID
        try stack.context.save()
        try #require(infos.count == 2)
        #expect(infos[0][NSDeletedObjectsKey] as? Set<NSManagedObject> == [ann])
        #expect(infos[0][NSUpdatedObjectsKey] as? Set<NSManagedObject> == [department])
        #expect(infos[1][NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [id])
        #expect(twin.objectID == id)
        #expect(try stack.reopened().names("Department") == ["B"])
    }

    @Test("A row rewritten by a merge policy is not deleted by the next save")
    func writtenAgain() throws {
        let third = stack.sibling(.privateQueue)
        let id = ann.objectID
        try third.performAndWait {
            third.mergePolicy = NSMergePolicy.overwrite
            try third.existingObject(with: id).setValue("Eve", forKey: "name")
        }
        try deleteElsewhere()
        try third.performAndWait { try third.save() }
        merge(NSInsertedObjectIDsKey, id)
        let eve = stack.context.object(with: id)
        #expect(eve !== ann)
        #expect(eve.value(forKey: "name") as? String == "Eve")
        #expect(try stack.fetch("Employee") == [eve])
        try stack.context.save()
        #expect(try stack.fetch("Employee") == [eve])
        #expect(!eve.isDeleted)
        #expect(try stack.reopened().names("Employee") == ["Eve"])
    }

    @Test("A rewritten row that the save deletes is reported once")
    func deletedAgain() throws {
        let third = stack.sibling(.privateQueue)
        let id = ann.objectID
        try third.performAndWait {
            third.mergePolicy = NSMergePolicy.overwrite
            try third.existingObject(with: id).setValue("Eve", forKey: "name")
        }
        try deleteElsewhere()
        try third.performAndWait { try third.save() }
        merge(NSInsertedObjectIDsKey, id)
        let eve = stack.context.object(with: id)
        stack.context.delete(eve)
        nonisolated(unsafe) var told: (objects: Set<NSManagedObject>?, ids: Set<NSManagedObjectID>?)
        let tokens = [
            NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
            ) { told.objects = $0.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> },
            NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSaveObjectIDs, object: stack.context, queue: nil
            ) { told.ids = $0.userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> },
        ]
        defer { tokens.forEach(NotificationCenter.default.removeObserver) }
        try stack.context.save()
        #expect(told.objects == [eve])
        #expect(told.ids?.count == 1)
        #expect(told.ids?.first == id)
        #expect(ann.managedObjectContext == nil)
        #expect(!stack.context.hasChanges)
        #expect(try stack.reopened().fetch("Employee").isEmpty)
    }

    @Test("A deleted fault is empty, and its unsaved changes are lost", arguments: [true, false])
    func values(_ isFault: Bool) throws {
        if isFault {
            stack.context.refresh(ann, mergeChanges: false)
        } else {
            ann.setValue("Eve", forKey: "name")
        }
        try deleteElsewhere()
        #expect(ann.value(forKey: "name") as? String == (isFault ? nil : "Eve"))
        #expect(stack.context.deletedObjects == [ann])
        try stack.context.save()
        #expect(ann.managedObjectContext == nil)
        #expect(try stack.reopened().fetch("Employee").isEmpty)
    }

    @Test("A merged deletion is forgotten by a rollback and by a reset", arguments: [true, false])
    func rollback(_ isReset: Bool) throws {
        try deleteElsewhere()
        if isReset { stack.context.reset() } else { stack.context.rollback() }
        #expect(!ann.isDeleted)
        #expect(ann.managedObjectContext == nil)
        #expect(!stack.context.hasChanges)
    }

    @Test("Undoing a deletion that was also merged inserts the object again")
    func undo() throws {
        stack.context.undoManager = UndoManager()
        stack.context.undoManager?.groupsByEvent = false
        stack.context.undoManager?.beginUndoGrouping()
        stack.context.delete(ann)
        stack.context.processPendingChanges()
        stack.context.undoManager?.endUndoGrouping()
        try deleteElsewhere()
        #expect(stack.context.deletedObjects == [ann])
        stack.context.undo()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        #expect(ann.isInserted)
        #expect(stack.context.deletedObjects.isEmpty)
        try stack.context.save()
        #expect(try stack.reopened().names("Employee") == ["Ann"])
    }
}
