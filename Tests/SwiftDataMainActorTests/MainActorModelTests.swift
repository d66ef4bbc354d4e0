#if SwiftData
import SwiftData
import Testing

// The target's default isolation is the main actor.

@Model
final class Note {
    #Unique<Note>([\.code])
    #Index<Note>([\.text])

    var code: String
    var text = "empty"
    var read: Date?
    var shelf: Shelf?
    @Relationship(deleteRule: .cascade, inverse: \Note.parent) var children: [Note] = []
    var parent: Note?
    @Transient var opened = 0

    init(_ code: String, on shelf: Shelf? = nil) {
        self.code = code
        self.shelf = shelf
    }

    func open() { opened += 1 }
}

@Model
class Shelf {
    var name: String
    var notes: [Note] = []

    init(name: String) { self.name = name }
}

@Model
final class LockedShelf: Shelf {
    var key: Int

    init(name: String, key: Int) {
        self.key = key
        super.init(name: name)
    }
}

/// Inserts notes off the main actor.
nonisolated struct Importer: Sendable {
    let container: ModelContainer

    @concurrent func insert(_ codes: [String]) async throws -> [PersistentIdentifier] {
        let context = ModelContext(container)
        let shelf = LockedShelf(name: "Imported", key: 7)
        let notes = codes.map { Note($0, on: shelf) }
        for note in notes {
            note.open()
            context.insert(note)
        }
        try context.save()
        return notes.map(\.persistentModelID)
    }
}

@Suite("Models of a module whose default isolation is the main actor")
struct MainActorModelTests {
    private let container: ModelContainer

    init() throws {
        container = try ModelContainer(
            for: Note.self, LockedShelf.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    }

    @Test("They are made, saved and fetched on the main actor")
    func mainActor() throws {
        let context = container.mainContext
        context.insert(Note("A", on: Shelf(name: "Top")))
        try context.save()
        let onTop = #Predicate<Note> { $0.shelf?.name == "Top" }
        let found = try context.fetch(FetchDescriptor(predicate: onTop))
        found.first?.open()
        #expect(found.map(\.code) == ["A"] && found.first?.opened == 1)
    }

    @Test("Code that leaves the main actor makes and saves them in a context of its own")
    func elsewhere() async throws {
        let identifiers = try await Importer(container: container).insert(["B", "C"])
        let notes = identifiers.compactMap { container.mainContext.model(for: $0) as? Note }
        #expect(notes.map(\.code) == ["B", "C"])
        #expect(notes.first?.shelf?.notes.count == 2)
        #expect((notes.first?.shelf as? LockedShelf)?.key == 7)
    }
}
#endif
