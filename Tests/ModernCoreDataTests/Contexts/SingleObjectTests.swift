import CoreData
import ModernCoreData
import Testing

@Suite("Single objects", .serialized)
@MainActor
struct SingleObjectTests {
    private func inbox(_ stack: NotesStack) -> Notebook? {
        Notebook.fetchSingleObject(in: stack.context, cacheKey: "inbox") { request in
            request.predicate = NSPredicate(format: "name == 'Inbox'")
        }
    }

    private func insertInbox(_ stack: NotesStack) throws {
        let notebook: Notebook = stack.context.insertObject()
        notebook.name = "Inbox"
        try stack.context.save()
        stack.context.reset()
    }

    @Test("A single object is fetched once and then cached")
    func fetchedOnce() throws {
        let stack = try NotesStack()
        try insertInbox(stack)
        let first = Statements.selects(stack) { #expect(inbox(stack)?.name == "Inbox") }
        let second = Statements.selects(stack) { #expect(inbox(stack)?.name == "Inbox") }
        #expect(first == 1)
        #expect(second == 0)
        #expect(stack.context.object(forSingleObjectCacheKey: "inbox") === inbox(stack))
    }

    @Test("A missing single object is fetched again each time")
    func absent() throws {
        let stack = try NotesStack()
        let statements = Statements.selects(stack) { #expect(inbox(stack) == nil) }
        #expect(statements == 1)
        try insertInbox(stack)
        #expect(inbox(stack)?.name == "Inbox")
    }

    @Test("A single object that was deleted or reset is fetched again")
    func gone() throws {
        let stack = try NotesStack()
        try insertInbox(stack)
        let first = try #require(inbox(stack))
        stack.context.reset()
        let second = try #require(inbox(stack))
        #expect(first !== second)
        #expect(second.managedObjectContext === stack.context)
        stack.context.delete(second)
        #expect(inbox(stack) == nil)
        stack.context.rollback()
        #expect(inbox(stack) === second)
        stack.context.delete(second)
        try stack.context.save()
        #expect(inbox(stack) == nil)
    }

    @Test("Contexts cache objects by key until they are released")
    func keys() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b")
        stack.context.set(notes[0], forSingleObjectCacheKey: "first")
        stack.context.set(notes[1], forSingleObjectCacheKey: "second")
        #expect(stack.context.object(forSingleObjectCacheKey: "first") === notes[0])
        stack.context.set(nil, forSingleObjectCacheKey: "first")
        #expect(stack.context.object(forSingleObjectCacheKey: "first") == nil)
        #expect(stack.context.object(forSingleObjectCacheKey: "second") === notes[1])
        let other = stack.container.newBackgroundContext()
        other.performAndWait { #expect(other.object(forSingleObjectCacheKey: "second") == nil) }
    }

    @Test("A context with cached objects is freed with them when it is released")
    func released() throws {
        let stack = try NotesStack()
        weak var context: NSManagedObjectContext?
        weak var note: Note?
        func fill() {
            let background = stack.container.newBackgroundContext()
            background.performAndWait {
                let inserted: Note = background.insertObject()
                background.set(inserted, forSingleObjectCacheKey: "note")
                (context, note) = (background, inserted)
            }
        }
        fill()
        #expect(context == nil)
        #expect(note == nil)
    }
}
