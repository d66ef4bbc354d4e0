import CoreData
import ModernCoreData
import Testing

@Suite("Objects by entity and predicate", .serialized)
@MainActor
struct EntityAndPredicateTests {
    private func tracked(_ name: String, _ stack: NotesStack) throws -> EntityAndPredicate<NSManagedObject> {
        let entity = try #require(NSEntityDescription.entity(forEntityName: name, in: stack.context))
        return EntityAndPredicate(entity: entity, predicate: NSPredicate(format: "title BEGINSWITH 'a'"))
    }

    /// Two notes, two checklists and a notebook.
    private func fill(_ stack: NotesStack) throws -> [NSManagedObject] {
        stack.insert("a1", "b1")
        for title in ["a2", "b2"] {
            let checklist: Checklist = stack.context.insertObject()
            checklist.title = title
        }
        let notebook: Notebook = stack.context.insertObject()
        notebook.name = "a"
        let objects = Array(stack.context.insertedObjects)
        try stack.context.save()
        return objects
    }

    private func titles(_ objects: [NSManagedObject]) -> Set<String> {
        Set(objects.compactMap { ($0 as? Note)?.title })
    }

    @Test("The request and the filter find the same objects, subentities included")
    func requestAndFilter() throws {
        let stack = try NotesStack()
        let all = try fill(stack)
        let (notes, checklists) = (try tracked("Note", stack), try tracked("Checklist", stack))
        #expect(titles(try stack.context.fetch(notes.fetchRequest)) == ["a1", "a2"])
        #expect(titles(all.filter(notes)) == ["a1", "a2"])
        #expect(titles(try stack.context.fetch(checklists.fetchRequest)) == ["a2"])
        #expect(titles(all.filter(checklists)) == ["a2"])
    }

    @Test("Filtering reads the entity's faults together, and no others")
    func statements() throws {
        let stack = try NotesStack()
        let all = try fill(stack)
        all.forEach { $0.refresh(false) }
        let checklists = try tracked("Checklist", stack)
        var found: [NSManagedObject] = []
        #expect(Statements.selects(stack) { found = all.filter(checklists) } == 1)
        #expect(titles(found) == ["a2"])
        #expect(all.filter { $0.isFault }.count == 3)
    }

    @Test("Deleted objects, and objects of deleted rows, do not match")
    func deleted() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a1", "a2", "a3")
        try stack.context.save()
        stack.context.delete(notes[0])
        notes[1].refresh(false)
        let gone = notes[1].objectID
        try stack.stored { other in
            other.delete(other.object(with: gone))
            try other.save()
        }
        let tracked = try tracked("Note", stack)
        #expect(titles((notes as [NSManagedObject]).filter(tracked)) == ["a3"])
        #expect(!tracked.matches(notes[0]))
        #expect(tracked.matches(notes[2]))
        try stack.context.save()
        #expect(stack.stored { Note.fetch(in: $0).map(\.title) } == ["a3"])
    }
}
