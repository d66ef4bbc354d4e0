#if SwiftData
import SwiftData
import Testing

@Suite("Configurations and their errors")
struct ConfigurationTests {
    private func error(_ configurations: ModelConfiguration...) throws -> SwiftDataError? {
        #expect(throws: SwiftDataError.self) {
            try ModelContainer(for: Schema(Trip.self, Everything.self), configurations: configurations)
        }
    }

    @Test("A name that no file can have, equal names and a stranger's model are errors of their own kinds")
    func names() throws {
        #expect(
            try error(ModelConfiguration("a/b")) == .configurationFileNameContainsInvalidCharacters)
        #expect(
            try error(ModelConfiguration(String(repeating: "ä", count: 123))) == .configurationFileNameTooLong
        )
        let memory = ModelConfiguration("twice", isStoredInMemoryOnly: true)
        let twin = ModelConfiguration("twice", isStoredInMemoryOnly: true, allowsSave: false)
        #expect(try error(memory, twin) == .duplicateConfiguration)
        let stranger = ModelConfiguration("other", schema: Schema(Parcel.self), isStoredInMemoryOnly: true)
        #expect(try error(memory, stranger) == .configurationSchemaNotFoundInContainerSchema)
    }

    @Test("A CloudKit database is an error that says what to pass instead; .automatic and .none are none")
    func cloudKit() throws {
        let error = try error(
            ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .private("iCloud.app")))
        #expect(error.map { "\($0)" }?.contains("iCloud.app, and there is no CloudKit here") == true)
        let configuration = ModelConfiguration(
            schema: Schema(Trip.self), isStoredInMemoryOnly: true, groupContainer: .none,
            cloudKitDatabase: .none)
        #expect(configuration.cloudKitContainerIdentifier == nil)
        _ = try ModelContainer(for: Trip.self, configurations: configuration)
    }

    @Test("Programs of an app group share a folder that has its name")
    func groups() {
        let own = ModelConfiguration("a")
        let shared = ModelConfiguration("a", groupContainer: .identifier("group.app"))
        #expect(shared.url.lastPathComponent == "a.store" && own.url != shared.url)
        #expect(shared.url.deletingLastPathComponent().lastPathComponent == "group.app")
        #expect(shared.groupAppContainerIdentifier == "group.app")
        #expect(
            shared.url.deletingLastPathComponent().deletingLastPathComponent()
                == own.url.deletingLastPathComponent().deletingLastPathComponent())
    }

    @Test("Errors of the same kind are equal, and matched by the constants")
    func errors() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        #expect(throws: SwiftDataError.unsupportedPredicate) {
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.title == "" }))
        }
        do {
            _ = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.title)]))
            Issue.record("no error")
        } catch SwiftDataError.unsupportedSortDescriptor {}
    }

    @Test("Erasing deletes all models, also those that deny each other's deletion, and the container goes on")
    func erasing() throws {
        let container = try memoryContainer(Trip.self, Shelf.self)
        let context = ModelContext(container)
        let shelf = Shelf()
        shelf.books = [ShelvedBook(), ShelvedBook()]
        context.insert(shelf)
        let trip = Trip(code: "A", name: "Alps", guide: Guide(name: "Ada"))
        context.insert(trip)
        try context.save()
        try container.erase()
        #expect(try context.fetchCount(FetchDescriptor<Shelf>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<ShelvedBook>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<Guide>()) == 0)
        #expect(trip.isDeleted && trip.name == "Alps")
        context.insert(Trip(code: "A", name: "Alps"))
        try context.save()
        container.deleteAllData()
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
    }

    @Test("A context says who changes models in it")
    func editingState() throws {
        let container = try memoryContainer(Trip.self)
        let (context, other) = (ModelContext(container), ModelContext(container))
        context.author = "import"
        #expect(context.editingState == EditingState(id: context.editingState.id, author: "import"))
        #expect(context.editingState.id != other.editingState.id && other.editingState.author == nil)
    }
}

@Model
private final class Shelf {
    @Relationship(deleteRule: .deny, inverse: \ShelvedBook.shelf) var books: [ShelvedBook] = []
    init() {}
}

@Model
private final class ShelvedBook {
    var shelf: Shelf?
    init() {}
}
#endif
