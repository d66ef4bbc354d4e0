import CoreData
import Foundation
import Testing

@Suite("Saves to several stores")
@MainActor
struct SeveralStoresTests {
    /// Returns a model with notes in one store, labels in another, and a relationship between them, which no
    /// store can keep.
    private static func model() -> NSManagedObjectModel {
        ModelSketch(
            """
            Note
              name string
              label -> Label.notes
            Label
              name string
              notes ->> Note.label
            configuration Notes: Note
            configuration Labels: Label
            """
        ).model
    }

    /// Returns a stack with the stores for notes and labels, or the first of them.
    private func stack(
        _ types: [NSPersistentStore.StoreType], in folder: ScratchFolder? = nil
    ) throws -> TestStack {
        try TestStack(Self.model(), configurations: Array(zip(["Notes", "Labels"], types)), in: folder)
    }

    nonisolated private static let pairs: [[NSPersistentStore.StoreType]] = [
        [.tested, .tested], [.xml, .tested], [.tested, .binary], [.inMemory, .inMemory],
    ]

    @Test(
        "A relationship to an object of another store fails the save, and nothing is saved",
        arguments: pairs)
    func external(_ types: [NSPersistentStore.StoreType]) throws {
        let stack = try stack(types)
        let note = stack.context.insert("Note", ["name": "n"])
        let label = stack.context.insert("Label", ["name": "l"])
        label.setValue(NSSet(object: note), forKey: "notes")
        func refuse(_ context: NSManagedObjectContext) throws {
            let error = try #require(throws: NSError.self) { try context.save() }
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSManagedObjectExternalRelationshipError)
        }
        try refuse(stack.context)
        #expect(note.isInserted)
        #expect(label.isInserted)
        #expect(note.objectID.isTemporaryID)
        note.setValue(nil, forKey: "label")
        try stack.context.save()
        note.setValue(label, forKey: "label")
        try refuse(stack.context)
        #expect(note.value(forKey: "label") as? NSManagedObject == label)
        stack.context.rollback()
        #expect(note.value(forKey: "label") == nil)
        // A nested context's save is refused, too.
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        child.object(with: note.objectID).setValue(child.object(with: label.objectID), forKey: "label")
        try refuse(child)
        #expect(!stack.context.hasChanges)
        child.rollback()
        let new = NSEntityDescription.insertNewObject(forEntityName: "Note", into: child)
        new.setValue(child.object(with: label.objectID), forKey: "label")
        try refuse(child)
        child.rollback()
        _ = stack.context.insert("Label", ["name": "unsaved"])
        let unsaved = try #require(
            try child.fetch("Label", "name == 'unsaved'", [], sortedBy: nil).first)
        child.insert("Note", ["name": "late"]).setValue(unsaved, forKey: "label")
        try child.save()
        try refuse(stack.context)
    }

    /// Writes to the labels' file from another coordinator, so that it refuses later writes.
    private func overtake(_ stack: TestStack) throws {
        let other = try TestStack(Self.model(), configurations: [("Labels", .xml)], in: stack.folder)
        _ = other.context.insert("Label", ["name": "theirs"])
        try other.context.save()
    }

    @Test("If one store fails, the other store's save stands, and a retry saves the rest")
    func incomplete() throws {
        let writer = try self.stack([.tested, .xml])
        for name in ["gone", "old"] { _ = writer.context.insert("Note", ["name": name]) }
        _ = writer.context.insert("Label", ["name": "l"])
        try writer.context.save()
        let stack = try stack([.tested, .xml], in: writer.folder)
        let notes = try stack.context.fetch("Note", nil, [], sortedBy: "name")
        let (gone, old) = (notes[0], notes[1])
        let label = try stack.context.fetch("Label", nil, [], sortedBy: nil)[0]
        let kept = try Data(contentsOf: stack.folder.file("Labels"))
        try overtake(stack)
        old.setValue("older", forKey: "name")
        stack.context.delete(gone)
        let new = stack.context.insert("Note", ["name": "new"])
        label.setValue("l2", forKey: "name")
        nonisolated(unsafe) var told: Notification?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
        ) { told = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        let error = try #require(throws: NSError.self) { try stack.context.save() }
        #expect(error.code == NSPersistentStoreIncompleteSaveError)
        #expect(
            error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore]
                == [stack.coordinator.persistentStores[1]])
        #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [label])
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSPersistentStoreSaveError)
        let keys = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
        #expect(keys.map { told?.userInfo?[$0] as? Set<NSManagedObject> } == [[new], [old], [gone]])
        #expect(stack.context.updatedObjects == [label])
        #expect(stack.context.insertedObjects.isEmpty)
        #expect(stack.context.deletedObjects.isEmpty)
        #expect(gone.managedObjectContext == nil)
        #expect(gone.objectID.persistentStore === stack.coordinator.persistentStores[0])
        #expect(!new.objectID.isTemporaryID)
        #expect(!old.hasChanges)
        // The file is restored.
        try kept.write(to: stack.folder.file("Labels"))
        #expect(
            stack.coordinator.setURL(stack.folder.file("Labels"), for: stack.coordinator.persistentStores[1]))
        try stack.context.save()
        let again = try self.stack([.tested, .xml], in: stack.folder)
        #expect(try again.names("Note") == ["new", "older"])
        #expect(try again.names("Label") == ["l2"])
        #expect(try stack.names("Note") == ["new", "older"])
    }

    @Test("Resolving conflicts in one store does not save the other twice")
    func conflicts() throws {
        let stack = try stack([.tested, .tested])
        let note = stack.context.insert("Note", ["name": "n"])
        let label = stack.context.insert("Label", ["name": "l"])
        try stack.context.save()
        let other = try self.stack([.tested, .tested], in: stack.folder)
        try other.context.fetch("Label", nil, [], sortedBy: nil)[0].setValue("theirs", forKey: "name")
        try other.context.save()
        note.setValue("n2", forKey: "name")
        label.setValue("mine", forKey: "name")
        _ = stack.context.insert("Note", ["name": "new"])
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(!stack.context.hasChanges)
        let again = try self.stack([.tested, .tested], in: stack.folder)
        #expect(try again.names("Note") == ["n2", "new"])
        #expect(try again.names("Label") == ["mine"])
    }
}
