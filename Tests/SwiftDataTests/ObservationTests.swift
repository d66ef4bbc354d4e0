#if SwiftData
import Observation
import SwiftData
import Synchronization
import Testing

@Suite("Observation of models")
@MainActor
struct ObservationTests {
    private let container: ModelContainer
    private let trip = Trip(code: "A", name: "Alps", guide: Guide(name: "Ada"))

    init() throws {
        container = try memoryContainer(Trip.self)
        container.mainContext.insert(trip)
        try container.mainContext.save()
    }

    /// Returns whether an observer that ran `body` is notified of the change that `change` makes.
    private func isTold(of change: () throws -> Void, reading body: () -> Void) rethrows -> Bool {
        let telling = Telling()
        withObservationTracking(body) { telling.isTold.withLock { $0 = true } }
        try change()
        return telling.isTold.withLock { $0 }
    }

    private final class Telling: Sendable {
        let isTold = Mutex(false)
    }

    @Test("A reader in the main context is notified when what it read changes, and not for other properties")
    func attributes() throws {
        #expect(isTold(of: { trip.name = "Andes" }, reading: { _ = trip.name }))
        #expect(isTold(of: { trip.code = "B" }, reading: { _ = trip.title }))
        #expect(!isTold(of: { trip.seats = 9 }, reading: { _ = trip.name }))
        #expect(isTold(of: { container.mainContext.rollback() }, reading: { _ = trip.name }))
        #expect(trip.name == "Alps")
    }

    @Test("A reader of a relationship is notified when either side is set")
    func relationships() {
        let stay = Stay("Bern", nights: 2)
        #expect(isTold(of: { trip.stays.append(stay) }, reading: { _ = trip.stays }))
        #expect(isTold(of: { stay.trip = nil }, reading: { _ = trip.stays }))
        #expect(isTold(of: { trip.guide = nil }, reading: { _ = trip.guide?.trips }))
    }

    @Test("A reader in the main context is notified of what another context saves")
    func otherContexts() async throws {
        let id = trip.persistentModelID
        let telling = AsyncStream<Void>.makeStream()
        withObservationTracking {
            _ = trip.name
        } onChange: {
            telling.continuation.finish()
        }
        let other = ModelContext(container)
        (other.model(for: id) as? Trip)?.name = "Andes"
        try other.save()
        for await _ in telling.stream {}
        #expect(trip.name == "Andes")
    }

    @Test("An observer is notified of a property whose first read had no observer")
    func readBefore() {
        let context = container.mainContext
        #expect(trip.name == "Alps" && trip.seats == 4 && trip.guide?.name == "Ada")
        trip.name = "Andes"
        context.processPendingChanges()
        #expect(isTold(of: { trip.name = "Atlas" }, reading: { _ = trip.name }))
        #expect(isTold(of: { trip.seats = 5 }, reading: { _ = trip.seats }))
        #expect(isTold(of: { trip.guide?.name = "Bob" }, reading: { _ = trip.guide?.name }))
        #expect(!isTold(of: { trip.seats = 6 }, reading: { _ = trip.name }))
    }

    @Test("Each of several readers is notified of the models that it read")
    func readers() {
        let other = Trip(code: "B", name: "Balkans")
        container.mainContext.insert(other)
        let (first, second) = (Telling(), Telling())
        withObservationTracking {
            _ = trip.name
        } onChange: {
            first.isTold.withLock { $0 = true }
        }
        withObservationTracking {
            _ = (other.name, trip.seats)
        } onChange: {
            second.isTold.withLock { $0 = true }
        }
        other.name = "Bosnia"
        #expect(!first.isTold.withLock { $0 } && second.isTold.withLock { $0 })
        trip.name = "Andes"
        #expect(first.isTold.withLock { $0 })
    }

    @Test("Other contexts report reads if they are asked to")
    func asked() throws {
        let context = ModelContext(container)
        let found = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        #expect(!isTold(of: { found.name = "Andes" }, reading: { _ = found.name }))
        context.tracksObservation = true
        #expect(isTold(of: { found.name = "Atlas" }, reading: { _ = found.name }))
    }
}
#endif
