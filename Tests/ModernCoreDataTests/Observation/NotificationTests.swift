import CoreData
import ModernCoreData
import Testing

@Suite("Typed notifications")
@MainActor
struct NotificationTests {
    @Test("Observers get the pending changes before a save, and the saved changes after it")
    func saves() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b")
        try stack.context.save()
        var (will, inserted, updated, deleted) = (
            0, Set<NSManagedObject>(), Set<NSManagedObject>(), Set<NSManagedObject>()
        )
        let tokens = [
            stack.context.addContextWillSaveNotificationObserver { note in
                will += note.managedObjectContext.insertedObjects.count
            },
            stack.context.addContextDidSaveNotificationObserver { note in
                #expect(note.managedObjectContext === stack.context)
                (inserted, updated, deleted) = (
                    note.insertedObjects, note.updatedObjects, note.deletedObjects
                )
            },
        ]
        let third = stack.insert("c")[0]
        notes[0].title = "A"
        stack.context.delete(notes[1])
        try stack.context.save()
        #expect(will == 1)
        #expect(inserted == [third])
        #expect(updated == [notes[0]])
        #expect(deleted == [notes[1]])
        tokens.forEach(NotificationCenter.default.removeObserver)
        stack.insert("d")
        try stack.context.save()
        #expect(will == 1)
        #expect(inserted == [third])
    }

    @Test("Main-actor handlers run on other contexts' queues, and may call closures")
    func otherQueues() async throws {
        let stack = try NotesStack()
        let context = stack.container.newBackgroundContext()
        var count = 0
        let token = context.addContextDidSaveNotificationObserver { note in
            count += note.insertedObjects.map { _ in 1 }.reduce(0) { $0 + $1 }
        }
        try await Task.detached {
            try await context.performChanges { for _ in 1...2 { let _: Note = context.insertObject() } }
        }.value
        #expect(count == 2)
        NotificationCenter.default.removeObserver(token)

        let coordinator = SyncCoordinator(context: context, changeProcessors: [])
        let sum: Int = await withCheckedContinuation { continuation in
            let finish: @Sendable ([Int]) -> Void = coordinator.perform { numbers in
                continuation.resume(returning: numbers.reduce(0) { $0 + $1 })
            }
            Task.detached { finish([1, 2]) }
        }
        #expect(sum == 3)
    }

    @Test("An event's notification contains merges, refreshes and resets, too")
    func events() throws {
        let stack = try NotesStack()
        var events: [ObjectsDidChangeNotification] = []
        let token = stack.context.addObjectsDidChangeNotificationObserver { events.append($0) }
        defer { NotificationCenter.default.removeObserver(token) }
        let note = stack.insert("a")[0]
        stack.context.processPendingChanges()
        #expect(events.last?.insertedObjects == [note])
        try stack.context.save()
        note.title = "b"
        stack.context.processPendingChanges()
        #expect(events.last?.updatedObjects == [note])
        #expect(events.last?.insertedObjects == [])
        stack.context.rollback()
        #expect(events.last?.refreshedObjects == [note])
        #expect(note.title == "a")
        stack.context.delete(note)
        stack.context.processPendingChanges()
        #expect(events.last?.deletedObjects == [note])
        #expect(events.last?.invalidatedAllObjects == false)
        stack.context.reset()
        #expect(events.last?.invalidatedAllObjects == true)
        #expect(events.count == 5)
    }

    @Test("Another context's save is merged on the context's queue")
    func merging() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let copy = try other.performAndWait { try #require([note].remap(to: other).first) }
        other.performAndWait { #expect(copy.title == "a") }
        let token = stack.context.addContextDidSaveNotificationObserver {
            other.performMergeChanges(from: $0)
        }
        defer { NotificationCenter.default.removeObserver(token) }
        note.title = "b"
        try stack.context.save()
        other.performAndWait { #expect(copy.title == "b") }
    }

    @Test("Saves and merges report object IDs, which any thread may use")
    func objectIDs() throws {
        let stack = try NotesStack()
        let other = stack.container.newBackgroundContext()
        var merged: [ContextDidMergeObjectIDsNotification] = []
        let merges = other.addContextDidMergeObjectIDsNotificationObserver { merged.append($0) }
        let saves = stack.context.addContextDidSaveObjectIDsNotificationObserver { note in
            other.performAndWait { other.mergeChanges(fromContextDidSave: note.notification) }
        }
        defer { [merges, saves].forEach(NotificationCenter.default.removeObserver) }
        let notes = stack.insert("a", "b")
        try stack.context.save()
        let (a, b) = (notes[0].objectID, notes[1].objectID)
        #expect(merged.last?.insertedObjectIDs == [a, b])
        #expect(!a.isTemporaryID)
        let copy = other.performAndWait { other.object(with: a) }
        notes[0].title = "A"
        stack.context.delete(notes[1])
        try stack.context.save()
        #expect(merged.last?.refreshedObjectIDs == [a])
        #expect(merged.count == 2)
        #expect(merged.last?.managedObjectContext === other)
        #expect(copy.managedObjectContext === other)
        var saved: ContextDidSaveObjectIDsNotification?
        let token = stack.context.addContextDidSaveObjectIDsNotificationObserver { saved = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        notes[0].title = "B"
        stack.insert("c")
        try stack.context.save()
        #expect(saved?.updatedObjectIDs == [a])
        #expect(saved?.insertedObjectIDs.count == 1)
        stack.context.delete(notes[0])
        try stack.context.save()
        #expect(saved?.deletedObjectIDs == [a])
        #expect(saved?.updatedObjectIDs == [])
        #expect(merged.last?.deletedObjectIDs == [a])
    }

    @Test("Observers keep alive only what their handlers capture")
    func released() throws {
        let stack = try NotesStack()
        weak var context: NSManagedObjectContext?
        var token: (any NSObjectProtocol)?
        func observe() {
            let background = stack.container.newBackgroundContext()
            context = background
            token = background.addObjectsDidChangeNotificationObserver { _ in }
        }
        observe()
        #expect(context == nil)
        #expect(token != nil)
    }

    @Test("A notification of another name ends the program")
    func wrongName() async {
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                let stack = try NotesStack()
                let note = Notification(name: .NSManagedObjectContextDidSave, object: stack.context)
                _ = ObjectsDidChangeNotification(note: note)
            }
        }
    }
}
