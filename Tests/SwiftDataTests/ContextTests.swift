#if SwiftData
import SwiftData
import Testing

@Suite("Contexts")
struct ContextTests {
    @Test("A deletion follows the delete rules, and is saved")
    func deletion() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(code: "A", name: "Alps", guide: Guide(name: "Ada"))
        trip.stays = [Stay("Bern", nights: 2)]
        context.insert(trip)
        try context.save()
        context.delete(trip)
        #expect(trip.isDeleted && context.deletedModelsArray.contains { $0 === trip })
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetchCount(FetchDescriptor<Trip>()) == 0)
        #expect(try other.fetchCount(FetchDescriptor<Stay>()) == 0)
        #expect(try other.fetch(FetchDescriptor<Guide>()).first?.trips.isEmpty == true)
    }

    @Test("A model whose deletion is saved keeps its last values and its identifier, and has no context")
    func readingDeletedModels() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        context.insert(Trip(code: "A", name: "Alps", guide: Guide(name: "Ada")))
        try context.save()
        let other = ModelContext(container)
        let trip = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        let id = trip.persistentModelID
        other.delete(trip)
        try other.save()
        #expect(trip.name == "Alps" && trip.seats == 4 && trip.persistentModelID == id)
        #expect(trip.modelContext == nil && trip.guide == nil && trip.stays.isEmpty)
    }

    @Test("A model that is inserted again before its deletion is saved stays", arguments: [true, false])
    func deletionTakenBack(isSaved: Bool) throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        if isSaved { try context.save() }
        context.delete(trip)
        context.insert(trip)
        #expect(!trip.isDeleted && trip.modelContext == context)
        trip.seats = 9
        try context.save()
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Trip>()).map(\.seats) == [9])
    }

    @Test("A rollback takes changes, insertions and deletions back")
    func rollback() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        trip.name = "Andes"
        context.insert(Trip(code: "B", name: "Balkan"))
        #expect(context.hasChanges)
        context.rollback()
        #expect(!context.hasChanges && trip.name == "Alps")
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
    }

    @Test("A transaction that throws leaves nothing; one that does not is saved")
    func transaction() throws {
        struct Refusal: Error {}
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        #expect(throws: Refusal.self) {
            try context.transaction {
                context.insert(Trip(code: "A", name: "Alps"))
                throw Refusal()
            }
        }
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
        try context.transaction { context.insert(Trip(code: "B", name: "Balkan")) }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 1)
    }

    @Test("A model with a unique value that a row has takes that row's place")
    func upsert() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        context.insert(Trip(code: "A", name: "Alps"))
        try context.save()
        let other = ModelContext(container)
        other.insert(Trip(code: "A", name: "Andes"))
        try other.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Trip>())
        #expect(found.map(\.name) == ["Andes"])
    }

    @Test("An identifier leads to its model in any context")
    func identifiers() throws {
        let container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        let early = trip.persistentModelID
        #expect(early.storeIdentifier == nil && early.entityName == "Trip")
        try context.save()
        #expect(context.model(for: trip.persistentModelID) === trip)
        let registered: Trip? = context.registeredModel(for: trip.persistentModelID)
        #expect(registered === trip)
        let other = ModelContext(container)
        let none: Trip? = other.registeredModel(for: trip.persistentModelID)
        #expect(none == nil)
        #expect((other.model(for: trip.persistentModelID) as? Trip)?.name == "Alps")
        #expect(try other.fetchIdentifiers(FetchDescriptor<Trip>()) == [trip.persistentModelID])
    }

    @Test("The main context takes over what other contexts save") @MainActor
    func merging() async throws {
        let container = try memoryContainer(Trip.self)
        let trip = Trip(code: "A", name: "Alps")
        container.mainContext.insert(trip)
        try container.mainContext.save()
        let other = ModelContext(container)
        let copy = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        copy.name = "Andes"
        try other.save()
        while trip.name != "Andes" { await Task.yield() }
        #expect(!container.mainContext.hasChanges)
    }

    @Test("A model outlives its context: saved values stay readable, unsaved ones are gone")
    func modelsWithoutContext() throws {
        let container = try memoryContainer(Trip.self)
        weak var dropped: ModelContext?
        let trip: Trip
        do {
            let context = ModelContext(container)
            dropped = context
            context.insert(Trip(code: "A", name: "Alps", guide: Guide(name: "Ada")))
            try context.save()
            trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
            trip.name = "Andes"
        }
        #expect(dropped == nil && trip.modelContext == nil)
        #expect(trip.name == "Alps" && trip.guide?.name == "Ada")
    }

    @Test("A container is freed with its contexts, its main one included") @MainActor
    func freeing() throws {
        weak var dropped: ModelContainer?
        do {
            let container = try memoryContainer(Trip.self)
            dropped = container
            container.mainContext.insert(Trip(code: "A", name: "Alps"))
            #expect(container.mainContext.container === container)
        }
        #expect(dropped == nil)
    }

    @Test("The container of a context equals the one that it was made of, and no other")
    func containers() throws {
        let (first, second) = (try memoryContainer(Trip.self), try memoryContainer(Trip.self))
        #expect(ModelContext(first).container == first)
        #expect(first != second)
    }

    @Test("Two configurations keep their models in two stores")
    func configurations() throws {
        let (first, second) = (try ScratchStore(), try ScratchStore())
        defer { for store in [first, second] { store.remove() } }
        let container = try ModelContainer(
            for: Trip.self, Everything.self,
            configurations: ModelConfiguration("trips", schema: Schema(Trip.self), url: first.url),
            ModelConfiguration("rest", schema: Schema(Everything.self), url: second.url))
        let context = ModelContext(container)
        context.insert(Trip(code: "A", name: "Alps"))
        context.insert(Everything())
        try context.save()
        #expect(try ModelContext(try first.container(Trip.self)).fetchCount(FetchDescriptor<Trip>()) == 1)
        #expect(
            try ModelContext(try second.container(Everything.self)).fetchCount(FetchDescriptor<Everything>())
                == 1)
    }

    @Test("A store in memory has what was saved, and leaves no file")
    func memory() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let container = try ModelContainer(for: Trip.self, configurations: configuration)
        let context = ModelContext(container)
        context.insert(Trip(code: "A", name: "Alps"))
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 1)
        #expect(configuration.url.path == "/dev/null")
    }

    @Test("A store that cannot be opened is an error with the reason, and stays as it was")
    func damagedStore() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        try Data("no store".utf8).write(to: store.url)
        let error = #expect(throws: SwiftDataError.self) { try store.container(Trip.self) }
        #expect(error?.underlyingError?.domain == NSCocoaErrorDomain)
        #expect(try Data(contentsOf: store.url) == Data("no store".utf8))
    }
}

@Suite("Identifiers as JSON")
struct IdentifierCodingTests {
    @Test("A decoded identifier is equal to the encoded one, which has the keys of Apple's")
    func roundTrip() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        let data = try JSONEncoder().encode(trip.persistentModelID)
        #expect(try JSONDecoder().decode(PersistentIdentifier.self, from: data) == trip.persistentModelID)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
        let parts = try #require(json["implementation"])
        #expect(parts["primaryKey"] as? String == "p1")
        #expect(parts["entityName"] as? String == "Trip")
        #expect(parts["isTemporary"] as? Bool == false)
        #expect(parts["storeIdentifier"] as? String == trip.persistentModelID.storeIdentifier)
        #expect((parts["uriRepresentation"] as? String)?.hasPrefix("x-coredata://") == true)
    }

    @Test("An identifier of a store that no container has cannot be decoded, and the error says why")
    func unknownStore() throws {
        let json = """
            {"implementation": {"primaryKey": "p1", "isTemporary": false, "entityName": "Trip",
            "storeIdentifier": "X", "uriRepresentation": "x-coredata://\(UUID().uuidString)/Trip/p1"}}
            """
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PersistentIdentifier.self, from: Data(json.utf8))
        }
        #expect(error.map { "\($0)".contains("no container has the store") } == true)
    }
}
#endif
