import CoreData
import ModernCoreData
import Testing

@Suite("Objects in progress")
@MainActor
struct InProgressTrackerTests {
    @Test("An object in progress is not returned again until it is complete")
    func once() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b", "c")
        try stack.context.save()
        let tracker = InProgressTracker<Note>()
        #expect(tracker.objectsToProcess(from: [notes[0], notes[1]]) == [notes[0], notes[1]])
        #expect(tracker.objectsToProcess(from: notes) == [notes[2]])
        #expect(tracker.contains(notes[0]))
        #expect(tracker.debugDescription.contains("3"))
        tracker.markObjectsAsComplete([notes[0]])
        #expect(tracker.objectsToProcess(from: notes) == [notes[0]])
        tracker.markObjectsAsComplete(notes)
        #expect(tracker.isEmpty)
    }

    @Test("A row stays in progress when its context forgets the object")
    func reset() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        try stack.context.save()
        let tracker = InProgressTracker<Note>()
        #expect(tracker.objectsToProcess(from: [note]) == [note])
        stack.context.reset()
        let again = Note.fetch(in: stack.context)
        #expect(again.first !== note)
        #expect(tracker.objectsToProcess(from: again) == [])
        tracker.markObjectsAsComplete(again)
        #expect(tracker.isEmpty)
    }

    @Test("Consecutive failures are counted by object until it is complete")
    func failures() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b")
        try stack.context.save()
        let tracker = InProgressTracker<Note>()
        #expect(tracker.noteFailure(of: notes) == 1)
        #expect(tracker.noteFailure(of: [notes[0]]) == 2)
        #expect(tracker.noteFailure(of: notes) == 3)
        tracker.release(notes)
        #expect(tracker.noteFailure(of: [notes[1]]) == 3)
        tracker.markObjectsAsComplete(notes)
        #expect(tracker.noteFailure(of: notes) == 1)
        #expect(tracker.noteFailure(of: []) == 0)
    }
}
