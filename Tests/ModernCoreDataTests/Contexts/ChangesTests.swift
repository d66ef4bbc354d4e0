import CoreData
import ModernCoreData
import Testing

@Suite("Changing and saving")
struct ChangesTests {
    private struct Refusal: Error {}

    /// A notebook without a name cannot be saved.
    private func insertInvalid(into context: NSManagedObjectContext) {
        let _: Notebook = context.insertObject()
    }

    @Test("saveOrRollback undoes changes that cannot be saved")
    @MainActor
    func saveOrRollback() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        #expect(stack.context.saveOrRollback())
        #expect(!stack.context.hasChanges)
        note.title = "b"
        insertInvalid(into: stack.context)
        #expect(!stack.context.saveOrRollback())
        #expect(note.title == "a")
        #expect(!stack.context.hasChanges)
        #expect(Notebook.count(in: stack.context) == 0)
    }

    @Test("saveRollingBack rolls back and throws the save's error")
    @MainActor
    func savingThrows() throws {
        let stack = try NotesStack()
        insertInvalid(into: stack.context)
        let error = #expect(throws: NSError.self) { try stack.context.saveRollingBack() }
        #expect(error?.code == NSValidationMissingMandatoryPropertyError)
        #expect(!stack.context.hasChanges)
    }

    @Test("performChanges runs later on the context's queue and saves")
    func performChanges() throws {
        let stack = try NotesStack()
        let context = stack.container.newBackgroundContext()
        func change() {
            context.performChanges {
                let note: Note = context.insertObject()
                note.title = "a"
            }
        }
        change()
        context.performAndWait { #expect(!context.hasChanges) }
        #expect(stack.stored { Note.fetch(in: $0).map(\.title) } == ["a"])
    }

    @Test("Awaited changes return their result after they are saved")
    func awaitedChanges() async throws {
        let stack = try NotesStack()
        let context = stack.container.newBackgroundContext()
        let id = try await context.performChanges {
            let note: Note = context.insertObject()
            note.title = "a"
            try context.obtainPermanentIDs(for: [note])
            return note.objectID
        }
        #expect(stack.stored { ($0.object(with: id) as? Note)?.title } == "a")
    }

    @Test("Awaited changes that fail or cannot be saved throw and are rolled back")
    func failingChanges() async throws {
        let stack = try NotesStack()
        let context = stack.container.newBackgroundContext()
        await #expect(throws: Refusal.self) {
            try await context.performChanges {
                let _: Note = context.insertObject()
                throw Refusal()
            }
        }
        await #expect(throws: NSError.self) {
            try await context.performChanges { insertInvalid(into: context) }
        }
        context.performAndWait { #expect(!context.hasChanges) }
        #expect(stack.stored { Note.count(in: $0) + Notebook.count(in: $0) } == 0)
    }

    @Test("performSaveOrRollback saves on the context's queue")
    func performSave() throws {
        let stack = try NotesStack()
        let context = stack.container.newBackgroundContext()
        context.performAndWait { let _: Note = context.insertObject() }
        context.performSaveOrRollback()
        context.performAndWait { #expect(!context.hasChanges) }
        #expect(stack.stored { Note.count(in: $0) } == 1)
    }
}
