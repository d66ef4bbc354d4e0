#if SwiftData
import SwiftData
import Synchronization
import Testing

@ModelActor
actor TripStore {
    func add(_ codes: [String]) throws -> [PersistentIdentifier] {
        let trips = codes.map { Trip(code: $0, name: "Trip \($0)") }
        for trip in trips { modelContext.insert(trip) }
        try modelContext.save()
        return trips.map(\.persistentModelID)
    }

    func rename(_ id: PersistentIdentifier, _ name: String) throws -> Bool {
        guard let trip = self[id, as: Trip.self] else { return false }
        trip.name = name
        try modelContext.save()
        return true
    }

    func name(of id: PersistentIdentifier) -> String? { self[id, as: Trip.self]?.name }

    func delete(_ id: PersistentIdentifier) throws {
        guard let trip = self[id, as: Trip.self] else { return }
        modelContext.delete(trip)
        try modelContext.save()
    }

    func names() throws -> [String] {
        try modelContext.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])).map(\.name)
    }

    /// Changes a trip in several steps, with others' work in between.
    func raise(_ id: PersistentIdentifier, by count: Int) async throws {
        for _ in 0..<count {
            guard let trip = self[id, as: Trip.self] else { return }
            trip.seats += 1
            await Task.yield()
        }
        try modelContext.save()
    }

    func seats(_ id: PersistentIdentifier) -> Int? { self[id, as: Trip.self]?.seats }

    /// Traps unless code runs as the actor's before and after a wait.
    func checkIsolation() async {
        assertIsolated()
        await Task.yield()
        assertIsolated()
        assume()
    }

    private nonisolated func assume() { assumeIsolated { $0.modelContext.processPendingChanges() } }

    func leak() -> Leak { Leak(modelContext) }

    /// Hands a context out of its actor, as a mistake would.
    struct Leak: @unchecked Sendable {
        let context: ModelContext
        init(_ context: ModelContext) { self.context = context }
    }
}

/// An actor that conforms by hand.
actor HandMade: ModelActor {
    nonisolated let modelExecutor: any ModelExecutor
    nonisolated let modelContainer: ModelContainer

    init(_ container: ModelContainer) {
        let context = ModelContext(container)
        context.author = "hand"
        context.autosaveEnabled = false
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
        modelContainer = container
    }

    var author: String? { modelContext.author }
    var savesByItself: Bool { modelContext.autosaveEnabled }
    func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Trip>()) }
}

@Suite("Model actors")
struct ModelActorTests {
    @Test("An actor saves models in its own context, and identifiers lead to them in others")
    func saving() async throws {
        let container = try memoryContainer(Trip.self)
        let store = TripStore(modelContainer: container)
        let ids = try await store.add(["A", "B"])
        #expect(try await store.names() == ["Trip A", "Trip B"])
        let other = TripStore(modelContainer: container)
        #expect(await other.name(of: ids[0]) == "Trip A")
        #expect(try await other.rename(ids[0], "Alps"))
        #expect(await store.name(of: ids[0]) == "Alps")
        #expect(try await HandMade(container).count() == 2)
    }

    @Test("The model of a row that is gone, or of another class, is nil")
    func missing() async throws {
        let container = try memoryContainer(Trip.self)
        let (store, other) = (TripStore(modelContainer: container), TripStore(modelContainer: container))
        let id = try #require(try await store.add(["A"]).first)
        try await other.delete(id)
        #expect(await store.name(of: id) == nil)
        #expect(try await store.rename(id, "Alps") == false)
        let context = ModelContext(container)
        let guide = Guide(name: "Ada")
        context.insert(guide)
        try context.save()
        #expect(await store.name(of: guide.persistentModelID) == nil)
    }

    @Test("Many tasks take turns on one actor, and code is the actor's before and after each wait")
    func turns() async throws {
        let store = TripStore(modelContainer: try memoryContainer(Trip.self))
        let id = try #require(try await store.add(["A"]).first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { try await store.raise(id, by: 10) } }
            try await group.waitForAll()
        }
        #expect(await store.seats(id) == 104)
        await store.checkIsolation()
    }

    @Test("An actor that conforms by hand keeps what its context was given before")
    func byHand() async throws {
        let actor = HandMade(try memoryContainer(Trip.self))
        #expect(await actor.author == "hand")
        #expect(await actor.savesByItself == false)
    }

    @Test(
        "Use of an actor's context outside of it ends a program that checks for it, and the message says where"
    )
    func misuse() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            setenv("com_apple_CoreData_ConcurrencyDebug", "1", 1)
            let store = TripStore(modelContainer: try memoryContainer(Trip.self))
            _ = try await store.add(["A"])
            _ = try await store.names()
            print("inside is fine")
            _ = try await store.leak().context.fetchCount(FetchDescriptor<Trip>())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("a context with a private queue, is used outside of its queue"), "\(text)")
    }

    @Test("The macro is refused for anything but an actor, and adds what a public actor has to show")
    func macro() throws {
        let mistake = try CompiledSource("import SwiftData\n@ModelActor class NoActor {}")
        #expect(
            mistake.messages(ofLine: 2).contains("error: '@ModelActor' can only be applied to an actor"),
            "\(mistake.messages)")
        let source = try CompiledSource(
            "import SwiftData\n@ModelActor public actor Shown { func f() { _ = modelContext.hasChanges } }")
        #expect(source.messages.isEmpty, "\(source.messages)")
        #expect(source.expansions.contains("public init(modelContainer: SwiftData.ModelContainer)"))
    }
}
#endif
