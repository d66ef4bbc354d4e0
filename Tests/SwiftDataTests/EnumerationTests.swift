#if SwiftData
import SwiftData
import Testing

@Suite("Enumerations")
struct EnumerationTests {
    /// `CORE_DATA_TEST_CASES` and `CORE_DATA_TEST_SEED` make a run longer and replay a failure.
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["CORE_DATA_TEST_SEED"].flatMap { UInt64($0) } ?? 1
        return (0..<(environment["CORE_DATA_TEST_CASES"].flatMap { UInt64($0) } ?? 12)).map { first + $0 }
    }()

    /// Fills a container with rows of which many are equal in each property, and have none in some.
    private static func fill(_ container: ModelContainer, _ count: Int) throws {
        var random = RandomNumbers(state: 9)
        let context = ModelContext(container)
        for number in 0..<count {
            let trip = Trip(
                code: "\(number)", name: ["", "alps", "Alps", "Ämter"].randomElement(using: &random)!)
            trip.seats = Int.random(in: -2...2, using: &random)
            trip.rating = Bool.random(using: &random) ? nil : Double(Int.random(in: 0...3, using: &random))
            if Bool.random(using: &random) {
                trip.start = Date(
                    timeIntervalSinceReferenceDate: Double(Int.random(in: 0...9, using: &random)))
            }
            context.insert(trip)
        }
        try context.save()
    }

    private static func randomDescriptor(_ random: inout RandomNumbers, _ count: Int) -> FetchDescriptor<Trip>
    {
        let seats = Int.random(in: -2...2, using: &random)
        let predicates: [Predicate<Trip>?] = [
            nil, #Predicate { $0.seats >= seats }, #Predicate { $0.rating == nil },
            #Predicate { $0.name == "Alps" || $0.seats == seats },
        ]
        var descriptor = FetchDescriptor<Trip>(predicate: predicates.randomElement(using: &random)!)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let order: SortOrder = Bool.random(using: &random) ? .forward : .reverse
            let all: [SortDescriptor<Trip>] = [
                SortDescriptor(\.name, order: order), SortDescriptor(\.seats, order: order),
                SortDescriptor(\.rating, order: order), SortDescriptor(\.start, order: order),
                SortDescriptor(\.code, order: order),
            ]
            descriptor.sortBy.append(all.randomElement(using: &random)!)
        }
        if Bool.random(using: &random) {
            descriptor.fetchOffset = Int.random(in: 0...count / 2, using: &random)
        }
        if Bool.random(using: &random) { descriptor.fetchLimit = Int.random(in: 1...count, using: &random) }
        descriptor.includePendingChanges = Bool.random(using: &random)
        return descriptor
    }

    @Test("An enumeration has the models of a fetch in their order", arguments: [true, false])
    func likeFetches(inMemory: Bool) throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let container = try inMemory ? memoryContainer(Trip.self) : store.container(Trip.self)
        try Self.compare(in: container)
    }

    /// Compares enumerations of random descriptors with fetches, in a container without models.
    static func compare(in container: ModelContainer) throws {
        let count = 700
        try fill(container, count)
        for seed in seeds {
            var random = RandomNumbers(state: seed)
            let descriptor = randomDescriptor(&random, count)
            let context = ModelContext(container)
            if seed % 3 == 0 {
                var some = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])
                some.fetchLimit = Int.random(in: 1...20, using: &random)
                for trip in try context.fetch(some) { trip.seats = 1 - trip.seats }
            }
            let expected = try context.fetch(descriptor).map(\.code)
            var found: [String] = []
            let size = [7, 64, 512, 513, 5000].randomElement(using: &random)!
            try context.enumerate(descriptor, batchSize: size) { found.append($0.code) }
            #expect(found == expected, "seed \(seed)")
        }
    }

    @Test("What others save during an enumeration changes neither its models nor their order")
    func changesMeanwhile() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let container = try store.container(Trip.self)
        try Self.fill(container, 600)
        let bySeats = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.seats), SortDescriptor(\.code)])
        let context = ModelContext(container)
        let expected = try context.fetch(bySeats).map(\.code)
        let (gone, changed) = (expected[550], expected[560])
        var found: [String] = []
        try context.enumerate(bySeats, batchSize: 20) { trip in
            found.append(trip.code)
            if trip.code == changed { #expect(trip.seats == -9) }
            guard found.count == 1 else { return }
            let other = ModelContext(container)
            try other.delete(model: Trip.self, where: #Predicate { $0.code == gone })
            for trip in try other.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.code == changed })) {
                trip.seats = -9
            }
            other.insert(Trip(code: "new", name: "Alps"))
            try other.save()
        }
        #expect(found == expected.filter { $0 != gone })
    }

    @Test("Saving each batch of an enumeration leaves nothing behind, and reaches every row")
    func savingMeanwhile() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let container = try store.container(Trip.self)
        try Self.fill(container, 600)
        let context = ModelContext(container)
        var count = 0
        try context.enumerate(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.seats)]), batchSize: 50) {
            trip in
            trip.seats += 100
            count += 1
            if count % 50 == 0 { try context.save() }
        }
        #expect(count == 600 && !context.hasChanges)
        let left = FetchDescriptor<Trip>(predicate: #Predicate { $0.seats < 90 })
        #expect(try ModelContext(container).fetchCount(left) == 0)
    }
}
#endif
