import CoreData
import ModernCoreData
import Testing

@Suite("Delayed deletion")
@MainActor
struct DeletionTests {
    @Test("A marked object leaves the list at once and the store later")
    func delayed() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b", "c")
        try stack.context.save()
        notes[0].markForLocalDeletion()
        #expect(notes[0].changedForDelayedDeletion)
        #expect(!notes[1].changedForDelayedDeletion)
        notes[1].markForLocalDeletion()
        notes[1].markedForDeletionDate = Date(timeIntervalSinceNow: -600)
        try stack.context.save()
        #expect(!notes[0].changedForDelayedDeletion)
        #expect(try stack.context.fetch(Note.sortedFetchRequest) == [notes[2]])
        let old = notes[1].objectID
        #expect(try stack.context.batchDeleteObjectsMarkedForLocalDeletion() == [old])
        #expect(stack.stored { Set(Note.fetch(in: $0).map(\.title)) } == ["a", "c"])
        #expect(stack.context.registeredObject(for: old) == nil)
        #expect(try stack.context.batchDeleteObjectsMarkedForLocalDeletion(olderThan: .zero).count == 1)
        #expect(try stack.context.batchDeleteObjectsMarkedForLocalDeletion(olderThan: .zero) == [])
        #expect(stack.stored { Note.fetch(in: $0).map(\.title) } == ["c"])
    }

    @Test("Marking an object again keeps the first date")
    func markedTwice() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        note.markForLocalDeletion()
        let date = note.markedForDeletionDate
        note.markForLocalDeletion()
        #expect(date != nil)
        #expect(note.markedForDeletionDate == date)
    }

    @Test("Subentities of the marked entity are deleted, too")
    func subentities() throws {
        let stack = try NotesStack()
        let checklist: Checklist = stack.context.insertObject()
        checklist.markForLocalDeletion()
        try stack.context.save()
        #expect(try stack.context.batchDeleteObjectsMarkedForLocalDeletion(olderThan: .zero).count == 1)
        #expect(stack.stored { Note.count(in: $0) } == 0)
    }

    @Test("An object marked for remote deletion leaves the list and waits for the service")
    func remote() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b")
        try stack.context.save()
        notes[0].markForRemoteDeletion()
        #expect(notes[0].changedForRemoteDeletion)
        #expect(!notes[1].changedForRemoteDeletion)
        try stack.context.save()
        #expect(!notes[0].changedForRemoteDeletion)
        #expect(try stack.context.fetch(Note.sortedFetchRequest) == [notes[1]])
        func waiting() -> [Note] {
            Note.fetch(in: stack.context) { $0.predicate = Note.waitingForRemoteDeletionPredicate }
        }
        #expect(waiting() == [notes[0]])
        #expect(try stack.context.batchDeleteObjectsMarkedForLocalDeletion(olderThan: .zero) == [])
        notes[0].markForLocalDeletion()
        #expect(waiting() == [])
    }

    @Test("Objects wait for upload if the service does not have them and they are not marked")
    func waitingForUpload() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b", "c", "d")
        notes[1].remoteIdentifier = "1"
        notes[2].markForRemoteDeletion()
        notes[3].markForLocalDeletion()
        try stack.context.save()
        #expect(Note.fetch(in: stack.context) { $0.predicate = Note.waitingForUploadPredicate } == [notes[0]])
        let known = Note.predicateForRemoteIdentifiers(["1", "2"])
        #expect(Note.fetch(in: stack.context) { $0.predicate = known } == [notes[1]])
        stack.context.reset()
        #expect(Note.fetch(in: stack.context) { $0.predicate = Note.notUploadedPredicate }.count == 3)
    }
}
