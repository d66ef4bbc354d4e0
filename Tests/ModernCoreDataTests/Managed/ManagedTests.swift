import CoreData
import ModernCoreData
import Testing

@Suite("Managed classes")
@MainActor
struct ManagedTests {
    @Test("The entity's name is the model's, unless the class gives one")
    func entityNames() throws {
        let stack = try NotesStack()
        #expect(Note.entityName == "Note")
        #expect(Note.entity.name == "Note")
        #expect(Notebook.entityName == "Book")
        #expect(Notebook.entity.name == "Book")
        let note: Note = stack.context.insertObject()
        let notebook: Notebook = stack.context.insertObject()
        #expect(note.entity.name == "Note")
        #expect(notebook.entity.name == "Book")
        let checklist: Checklist = stack.context.insertObject()
        #expect(checklist.entity.name == "Checklist")
        #expect(Note.fetch(in: stack.context).count == 2)
        #expect(note.isInserted)
        #expect(note.managedObjectContext === stack.context)
    }

    @Test("The sorted request has the class's sort descriptors and predicate")
    func sortedRequest() throws {
        let stack = try NotesStack()
        let notes = stack.insert("b", "c", "a")
        notes[1].markForLocalDeletion()
        try stack.context.save()
        #expect(try stack.context.fetch(Note.sortedFetchRequest).map(\.title) == ["a", "b"])
        let later = Note.sortedFetchRequest(with: NSPredicate(format: "title > 'a'"))
        #expect(try stack.context.fetch(later).map(\.title) == ["b"])
    }

    @Test("A class without sort descriptors and predicate lists all objects; each request is new")
    func defaults() throws {
        let stack = try NotesStack()
        let request = Notebook.sortedFetchRequest
        #expect(request.sortDescriptors == [])
        #expect(request.predicate == NSPredicate(value: true))
        request.fetchLimit = 1
        #expect(Notebook.sortedFetchRequest.fetchLimit == 0)
        #expect("\(Notebook.predicate(format: "name == %@", "x"))" == "name == \"x\"")
        withExtendedLifetime(stack) {}
    }

    @Test("A format's predicate is combined with the default one")
    func predicates() {
        #expect(
            "\(Note.predicate(format: "%K == %@", "title", "a"))"
                == "(markedForDeletionDate == nil AND markedForRemoteDeletion == 0) AND title == \"a\"")
    }

    @Test("Fetching and counting start from the class alone, without its default predicate")
    func fetchingAndCounting() throws {
        let stack = try NotesStack()
        stack.insert("b", "a", "c")[0].markForLocalDeletion()
        try stack.context.save()
        #expect(Note.count(in: stack.context) == 3)
        #expect(Note.count(in: stack.context) { $0.predicate = Note.defaultPredicate } == 2)
        let found = Note.fetch(in: stack.context) { request in
            request.predicate = NSPredicate(format: "title < 'c'")
            request.sortDescriptors = Note.defaultSortDescriptors
        }
        #expect(found.map(\.title) == ["a", "b"])
    }

    @Test("A malformed request ends the program with a remedy")
    func nonsense() async {
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                let stack = try NotesStack()
                _ = Note.fetch(in: stack.context) { $0.predicate = NSPredicate(format: "colour == 1") }
            }
        }
    }
}
