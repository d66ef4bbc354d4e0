import CoreData
import ModernCoreData
import Testing

@Suite("Observers of objects")
@MainActor
struct ManagedObjectObserverTests {
    @Test("An observer reports changes, refreshes and the deletion of its own object only")
    func changes() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b")
        try stack.context.save()
        var changes: [ManagedObjectObserver.ChangeType] = []
        let observer = ManagedObjectObserver(object: notes[0]) { changes.append($0) }
        notes[1].title = "B"
        stack.context.processPendingChanges()
        #expect(changes.isEmpty)
        notes[0].title = "A"
        notes[0].title = "AA"
        stack.context.processPendingChanges()
        #expect(changes == [.update])
        stack.context.rollback()
        #expect(changes == [.update, .update])
        stack.context.delete(notes[0])
        try stack.context.save()
        #expect(changes == [.update, .update, .delete])
        withExtendedLifetime(observer) {}
    }

    @Test("Changes and deletions by other contexts are reported when merged")
    func merges() throws {
        let stack = try NotesStack()
        let context = stack.container.newBackgroundContext()
        context.automaticallyMergesChangesFromParent = true
        var changes: [ManagedObjectObserver.ChangeType] = []
        var observer: ManagedObjectObserver?
        let id = try context.performAndWait {
            let note: Note = context.insertObject()
            try context.save()
            observer = ManagedObjectObserver(object: note) { changes.append($0) }
            return note.objectID
        }
        let other = stack.container.newBackgroundContext()
        try other.performAndWait {
            let copy = try #require(other.object(with: id) as? Note)
            copy.title = "b"
            try other.save()
            other.delete(copy)
            try other.save()
        }
        context.performAndWait { #expect(changes == [.update, .delete]) }
        withExtendedLifetime(observer) {}
    }

    @Test("A reset counts as deletion, and an object without a context cannot be observed")
    func reset() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        try stack.context.save()
        var changes: [ManagedObjectObserver.ChangeType] = []
        let observer = ManagedObjectObserver(object: note) { changes.append($0) }
        stack.context.reset()
        #expect(changes == [.delete])
        #expect(observer != nil)
        #expect(ManagedObjectObserver(object: note) { _ in } == nil)
    }

    @Test("A released observer reports nothing and keeps nothing alive")
    func released() throws {
        let stack = try NotesStack()
        var note: Note? = stack.insert("a")[0]
        try stack.context.save()
        var changes = 0
        var observer = note.flatMap { ManagedObjectObserver(object: $0) { _ in changes += 1 } }
        weak let released = note
        note = nil
        #expect(released != nil)
        #expect(observer != nil)
        observer = nil
        #expect(released == nil)
        stack.context.reset()
        #expect(changes == 0)
    }
}
