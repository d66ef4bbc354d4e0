import CoreData
import ModernCoreData
import Testing

@Suite("Finding objects", .serialized)
@MainActor
struct FindingTests {
    private let titleIsA = NSPredicate(format: "title == 'a'")

    @Test("An object in memory is found without a statement, an object of the store with one")
    func findOrFetch() throws {
        let stack = try NotesStack()
        stack.insert("a", "b")
        try stack.context.save()
        stack.context.reset()
        var found: Note?
        let first = Statements.selects(stack) {
            found = Note.findOrFetch(in: stack.context, matching: titleIsA)
        }
        #expect(first == 1)
        #expect(found?.title == "a")
        #expect(found?.isFault == false)
        let second = Statements.selects(stack) {
            #expect(Note.findOrFetch(in: stack.context, matching: titleIsA) === found)
        }
        #expect(second == 0)
    }

    @Test("An object that does not exist is nil after one statement")
    func absent() throws {
        let stack = try NotesStack()
        let statements = Statements.selects(stack) {
            #expect(Note.findOrFetch(in: stack.context, matching: titleIsA) == nil)
        }
        #expect(statements == 1)
    }

    @Test("Inserted objects are found, deleted ones and those of other classes are not")
    func unsavedChanges() throws {
        let stack = try NotesStack()
        let note = stack.insert("a")[0]
        let notebook: Notebook = stack.context.insertObject()
        notebook.name = "a"
        #expect(Note.findOrFetch(in: stack.context, matching: titleIsA) === note)
        stack.context.delete(note)
        #expect(Note.findOrFetch(in: stack.context, matching: titleIsA) == nil)
        let any = NSPredicate(value: true)
        #expect(Notebook.findOrFetch(in: stack.context, matching: any) === notebook)
    }

    @Test("findOrCreate configures a new object once")
    func findOrCreate() throws {
        let stack = try NotesStack()
        var configured = 0
        func find() -> Note {
            Note.findOrCreate(in: stack.context, matching: titleIsA) { note in
                note.title = "a"
                configured += 1
            }
        }
        let note = find()
        #expect(note.isInserted)
        #expect(find() === note)
        try stack.context.save()
        stack.context.reset()
        #expect(find().title == "a")
        #expect(configured == 1)
        #expect(Note.count(in: stack.context) == 1)
    }

    @Test("Materialized objects have values, and finding them takes no statement")
    func materialized() throws {
        let stack = try NotesStack()
        stack.insert("a", "b", "c")
        try stack.context.save()
        stack.context.reset()
        let request = Note.sortedFetchRequest
        request.returnsObjectsAsFaults = false
        let notes = try stack.context.fetch(request)
        stack.context.refresh(notes[0], mergeChanges: false)
        let statements = Statements.selects(stack) {
            #expect(Note.materializedObject(in: stack.context, matching: titleIsA) == nil)
            let titles = Note.materializedObjects(in: stack.context).map(\.title)
            #expect(Set(titles) == ["b", "c"])
        }
        #expect(statements == 0)
        #expect(notes[0].isFault)
    }

    @Test("Faults are filled with one statement for each entity")
    func fetchFaults() throws {
        let stack = try NotesStack()
        stack.insert("a", "b", "c")
        for name in ["x", "y"] {
            let notebook: Notebook = stack.context.insertObject()
            notebook.name = name
        }
        let objects = Array(stack.context.insertedObjects)
        try stack.context.save()
        objects.forEach { $0.refresh(false) }
        #expect(objects.allSatisfy { $0.isFault })
        #expect(Statements.selects(stack) { objects.fetchFaults() } == 2)
        let read = Statements.selects(stack) {
            #expect(objects.allSatisfy { !$0.isFault })
            #expect(Set(objects.compactMap { ($0 as? Note)?.title }) == ["a", "b", "c"])
        }
        #expect(read == 0)
        #expect(Statements.selects(stack) { objects.fetchFaults() } == 0)
    }

    @Test("Faults of deleted rows stay faults, and the others are filled")
    func goneRows() throws {
        let stack = try NotesStack()
        let notes = stack.insert("a", "b")
        try stack.context.save()
        notes.forEach { $0.refresh(false) }
        let gone = notes[0].objectID
        try stack.stored { other in
            other.delete(other.object(with: gone))
            try other.save()
        }
        notes.fetchFaults()
        #expect(notes[0].isFault)
        #expect(!notes[1].isFault)
        #expect(notes[1].title == "b")
    }

    @Test("Objects are mapped to another context's objects, in order")
    func remap() throws {
        let stack = try NotesStack()
        let notes = stack.insert("b", "a")
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        other.performAndWait {
            let mapped = notes.remap(to: other)
            #expect(mapped.map(\.title) == ["b", "a"])
            #expect(mapped.allSatisfy { $0.managedObjectContext === other })
            #expect(mapped.remap(to: other) == mapped)
        }
    }
}
