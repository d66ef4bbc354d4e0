#if SwiftData
import CoreData
import SwiftData
import Testing

@Suite("Fetches in batches")
struct BatchFetchTests {
    private let container: ModelContainer
    private let byCode = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code, order: .reverse)])

    init() throws {
        container = try memoryContainer(Trip.self)
        let context = ModelContext(container)
        for index in 0..<50 { context.insert(Trip(code: "\(index + 10)", name: "Trip")) }
        try context.save()
    }

    @Test("A collection has the models of a fetch in their order, and makes each when it is used")
    func collection() throws {
        let context = ModelContext(container)
        let trips = try context.fetch(byCode, batchSize: 7)
        #expect(trips.count == 50 && trips.first?.code == "59" && trips[49].code == "10")
        #expect(trips.map(\.code) == (10..<60).reversed().map { "\($0)" })
        #expect(try context.fetchIdentifiers(byCode, batchSize: 7).first == trips[0].persistentModelID)
        #expect(trips[3] === trips[3])
    }

    @Test("An enumeration calls its block in order, and keeps no more models than a batch")
    func enumeration() throws {
        let context = ModelContext(container)
        var (codes, most) = ([String](), 0)
        var seen: [() -> Bool] = []
        try context.enumerate(byCode, batchSize: 10) { trip in
            codes.append(trip.code)
            seen.append { [weak trip] in trip != nil }
            most = max(most, seen.count { $0() })
        }
        #expect(codes == (10..<60).reversed().map { "\($0)" })
        #expect(most <= 10)
        #expect(context.managedObjectContext.registeredObjects.isEmpty)
    }

    @Test("Changes of an enumeration stay, models that it deleted are passed over, and an error ends it")
    func changes() throws {
        struct Enough: Error {}
        let context = ModelContext(container)
        let last = try #require(try context.fetch(byCode).last)
        var count = 0
        #expect(throws: Enough.self) {
            try context.enumerate(byCode, batchSize: 8) { trip in
                if count == 20 { throw Enough() }
                trip.seats = 9
                count += 1
            }
        }
        #expect(context.changedModelsArray.count == 20)
        try context.enumerate(byCode, batchSize: 50) { trip in
            if trip.code == "59" { context.delete(last) }
            #expect(trip !== last)
        }
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 49)
    }
}
#endif
