#if SwiftData
import CoreDataPostgreSQL
import PostgreSQLTestSupport
import SwiftData
import Testing

@Suite("Models in a PostgreSQL database", .enabled(if: TestServer.isAvailable, "\(TestServer.absence)"))
struct ServerStoreTests {
    /// The configuration of a schema of its own.
    private static func configuration() throws -> ModelConfiguration {
        let url = try TestServer.shared().url(with: "schema=models-\(UUID().uuidString)")
        return ModelConfiguration(url: try #require(URL(string: url)))
    }

    @Test("Models are saved, found by predicates, changed and deleted, and other containers see it")
    func saving() throws {
        let configuration = try Self.configuration()
        let container = try ModelContainer(for: Trip.self, configurations: configuration)
        let context = ModelContext(container)
        let trip = Trip(code: "A", name: "Alps", guide: Guide(name: "Ada"))
        trip.stays = [Stay("Bern", nights: 2), Stay("Chur", nights: 1)]
        context.insert(trip)
        context.insert(Trip(code: "B", name: "Balkan"))
        try context.save()

        let other = ModelContext(try ModelContainer(for: Trip.self, configurations: configuration))
        let found = try other.fetch(
            FetchDescriptor<Trip>(
                predicate: #Predicate { $0.stays.contains { $0.nights > 1 } && $0.guide?.name == "Ada" }))
        #expect(found.map(\.name) == ["Alps"])
        found[0].seats = 9
        try other.save()
        let codes = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code, order: .reverse)])
        let later = ModelContext(container)
        let trips = try later.fetch(codes)
        #expect(trips.map(\.code) == ["B", "A"] && trips[1].seats == 9)
        later.delete(trips[1])
        try later.save()
        #expect(try other.fetchCount(FetchDescriptor<Stay>()) == 0)
    }

    @Test("A model with the unique value of another one takes its place")
    func upsert() throws {
        let context = ModelContext(
            try ModelContainer(for: Trip.self, configurations: try Self.configuration()))
        for name in ["Alps", "Andes"] {
            context.insert(Trip(code: "A", name: name))
            try context.save()
        }
        #expect(try context.fetch(FetchDescriptor<Trip>()).map(\.name) == ["Andes"])
    }

    @Test("An enumeration of a server's rows has the models of a fetch in their order")
    func enumeration() throws {
        let configuration = try Self.configuration()
        try EnumerationTests.compare(in: try ModelContainer(for: Trip.self, configurations: configuration))
    }

    @Test("The history of models is read")
    func history() throws {
        let context = ModelContext(
            try ModelContainer(for: Trip.self, configurations: try Self.configuration()))
        context.author = "server"
        context.insert(Trip(code: "A", name: "Alps"))
        try context.save()
        let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(all.map(\.author) == ["server"] && all[0].changes.count == 1)
    }
}
#endif
