#if SwiftData
import SwiftData
import Testing

@Suite("Identifiers beyond their container")
struct IdentifierTests {
    private let store: ScratchStore

    init() throws { store = try ScratchStore() }

    /// Returns the identifier of a saved trip, whose container is gone.
    private func savedID() throws -> PersistentIdentifier {
        let context = ModelContext(try store.container(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        return trip.persistentModelID
    }

    @Test("An identifier outlives its container, and leads to its model in the next one")
    func outliving() throws {
        defer { store.remove() }
        let id = try savedID()
        #expect(id.storeIdentifier != nil && id.entityName == "Trip")
        let context = ModelContext(try store.container(Trip.self))
        let trip = try #require(context.model(for: id) as? Trip)
        #expect(trip.name == "Alps")
        let found = try context.fetchIdentifiers(FetchDescriptor<Trip>())
        #expect(found == [id] && Set(found).contains(id) && found[0].description == id.description)
        #expect(context.registeredModel(for: id) as Trip? === trip)
    }

    @Test("No context has a model of another store, and none of a model that was never inserted")
    func strangers() throws {
        defer { store.remove() }
        let id = try savedID()
        let context = ModelContext(try memoryContainer(Trip.self))
        #expect(context.registeredModel(for: id) as Trip? == nil)
        let trip = Trip(code: "B", name: "Balkan")
        #expect(context.registeredModel(for: trip.persistentModelID) as Trip? == nil)
    }

    @Test("A model of another store cannot be asked for, and the message names it")
    func trap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = ModelContext(try memoryContainer(Trip.self))
            context.insert(Trip(code: "A", name: "Alps"))
            try context.save()
            let id = try context.fetchIdentifiers(FetchDescriptor<Trip>())[0]
            _ = ModelContext(try memoryContainer(Trip.self)).model(for: id)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("No store of this container has the model x-coredata://"))
    }

    @Test("Identifiers are ordered as their rows were made, and made of a store's own keys")
    func order() throws {
        defer { store.remove() }
        let context = ModelContext(try store.container(Trip.self))
        let trips = ["A", "B", "C"].map { Trip(code: $0, name: $0) }
        for trip in trips {
            context.insert(trip)
            try context.save()
        }
        let ids = trips.map(\.persistentModelID)
        #expect(ids.reversed().sorted() == ids)
        let name = try #require(ids[1].storeIdentifier)
        #expect(
            try PersistentIdentifier.identifier(for: name, entityName: "Trip", primaryKey: "p2") == ids[1])
        #expect(try PersistentIdentifier.identifier(for: name, entityName: "Trip", primaryKey: 3) == ids[2])
        #expect(throws: SwiftDataError.unknownSchema) {
            try PersistentIdentifier.identifier(for: name, entityName: "Tripp", primaryKey: 3)
        }
    }
}
#endif
