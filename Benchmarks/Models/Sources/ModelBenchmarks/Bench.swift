import CoreData
import Heap
import SwiftData

/// Two stores with the same trips, one of models and one of managed objects, and the rows of the table.
struct Bench {
    private let folder: URL
    private let count: Int
    private let container: ModelContainer
    private let coordinator: NSPersistentStoreCoordinator
    private static let staysOfTrip = 10

    init(trips count: Int) throws {
        self.count = count
        folder = FileManager.default.temporaryDirectory.appending(path: "models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = try Self.container(folder.appending(path: "models.store"))
        coordinator = try Self.coordinator(folder.appending(path: "managed.store"))
        let managed = managedContext()
        for number in 0..<count {
            let trip = ManagedTrip(context: managed)
            trip.fill(number)
            guard number % Self.staysOfTrip == 0 else { continue }
            for nights in 0..<Self.staysOfTrip {
                let stay = ManagedStay(context: managed)
                (stay.nights, stay.trip) = (nights, trip)
            }
        }
        try managed.save()
        let context = ModelContext(container)
        for number in 0..<count {
            let trip = Trip(number)
            context.insert(trip)
            guard number % Self.staysOfTrip == 0 else { continue }
            trip.stays = (0..<Self.staysOfTrip).map { Stay($0) }
        }
        context.insert(Sample())
        try context.save()
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    private static func container(_ url: URL) throws -> ModelContainer {
        try ModelContainer(for: Trip.self, Sample.self, configurations: ModelConfiguration(url: url))
    }

    /// Returns a coordinator with a store of the same entities, which have classes of managed objects.
    private static func coordinator(_ url: URL) throws -> NSPersistentStoreCoordinator {
        guard let model = NSManagedObjectModel.makeManagedObjectModel(for: [Trip.self, Sample.self]) else {
            throw CocoaError(.featureUnsupported)
        }
        let classes: [String: AnyClass] = [
            "Trip": ManagedTrip.self, "Stay": ManagedStay.self, "Sample": NSManagedObject.self,
        ]
        for (name, type): (String, AnyClass) in classes {
            model.entitiesByName[name]?.managedObjectClassName = NSStringFromClass(type)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "default", at: url,
            options: [NSPersistentHistoryTrackingKey: true])
        return coordinator
    }

    private func managedContext(_ coordinator: NSPersistentStoreCoordinator? = nil) -> NSManagedObjectContext
    {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator ?? self.coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    private func managedTrips() -> NSFetchRequest<ManagedTrip> { NSFetchRequest(entityName: "Trip") }

    /// Returns the cost of work on a store of its own.
    private func onNewStore(_ work: (URL) throws -> Double) throws -> Double {
        let place = folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        return try work(place.appending(path: "new.store"))
    }

    var rows: [Comparison] {
        [
            reading("Fetch, make, read five properties, destroy", 1.25, 1.5, tracked: false),
            reading("The same in a context that tracks observation", 1.5, 1.9, tracked: true),
            identifiers, counting, property, insertion, change, walk, search, memory, structs, enumeration,
        ]
    }

    private func reading(
        _ title: String, _ target: Double, _ limit: Double, tracked: Bool
    ) -> Comparison {
        Comparison(title: title, target: target, limit: limit) {
            let context = managedContext()
            return try cost(of: count) {
                for trip in try context.fetch(managedTrips()) { consume(trip.checksum) }
            }
        } models: {
            let context = ModelContext(container)
            context.tracksObservation = tracked
            return try cost(of: count) {
                for trip in try context.fetch(FetchDescriptor<Trip>()) { consume(trip.checksum) }
            }
        }
    }

    private var identifiers: Comparison {
        Comparison(title: "Fetch identifiers", target: 1.05, limit: 1.15) {
            let context = managedContext()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Trip")
            request.resultType = .managedObjectIDResultType
            return try cost(of: count) { consume(try context.fetch(request)) }
        } models: {
            let context = ModelContext(container)
            return try cost(of: count) { consume(try context.fetchIdentifiers(FetchDescriptor<Trip>())) }
        }
    }

    private var counting: Comparison {
        Comparison(title: "Count", target: 1.05, limit: 1.15, unit: "ns a count") {
            let context = managedContext()
            return try cost(of: 100) { for _ in 0..<100 { consume(try context.count(for: managedTrips())) } }
        } models: {
            let context = ModelContext(container)
            return try cost(of: 100) {
                for _ in 0..<100 { consume(try context.fetchCount(FetchDescriptor<Trip>())) }
            }
        }
    }

    private var property: Comparison {
        let reads = 20_000
        return Comparison(title: "Read one property, again and again", target: 2, limit: 3) {
            let context = managedContext()
            let request = managedTrips()
            request.fetchLimit = 200
            let trips = try context.fetch(request)
            consume(trips.reduce(0) { $0 &+ $1.seats })
            return withExtendedLifetime(context) {
                cost(of: reads * trips.count) {
                    var sum = 0
                    for _ in 0..<reads { for trip in trips { sum &+= trip.seats } }
                    consume(sum)
                }
            }
        } models: {
            let context = ModelContext(container)
            var descriptor = FetchDescriptor<Trip>()
            descriptor.fetchLimit = 200
            let trips = try context.fetch(descriptor)
            consume(trips.reduce(0) { $0 &+ $1.seats })
            return cost(of: reads * trips.count) {
                var sum = 0
                for _ in 0..<reads { for trip in trips { sum &+= trip.seats } }
                consume(sum)
            }
        }
    }

    private var insertion: Comparison {
        Comparison(title: "Insert and save", target: 1.3, limit: 1.6) {
            try onNewStore { url in
                let context = managedContext(try Self.coordinator(url))
                return try cost(of: count) {
                    for number in 0..<count { ManagedTrip(context: context).fill(number) }
                    try context.save()
                }
            }
        } models: {
            try onNewStore { url in
                let context = ModelContext(try Self.container(url))
                return try cost(of: count) {
                    for number in 0..<count { context.insert(Trip(number)) }
                    try context.save()
                }
            }
        }
    }

    private var change: Comparison {
        Comparison(title: "Change one property and save", target: 1.2, limit: 1.4) {
            let context = managedContext()
            let trips = try context.fetch(managedTrips())
            return try cost(of: count) {
                for trip in trips { trip.seats &+= 1 }
                try context.save()
            }
        } models: {
            let context = ModelContext(container)
            let trips = try context.fetch(FetchDescriptor<Trip>())
            return try cost(of: count) {
                for trip in trips { trip.seats &+= 1 }
                try context.save()
            }
        }
    }

    private var walk: Comparison {
        Comparison(title: "Walk a one-to-many relationship", target: 1.5, limit: 1.9, unit: "ns an edge") {
            let context = managedContext()
            let request = managedTrips()
            request.predicate = NSPredicate(format: "stays.@count > 0")
            let trips = try context.fetch(request)
            return try cost(of: trips.count * Self.staysOfTrip) {
                var sum = 0
                for trip in trips { for stay in trip.stays { sum &+= stay.nights } }
                guard sum == trips.count * 45 else { throw CocoaError(.coderReadCorrupt) }
            }
        } models: {
            let context = ModelContext(container)
            let trips = try context.fetch(
                FetchDescriptor<Trip>(predicate: #Predicate { $0.stays.count > 0 }))
            return try cost(of: trips.count * Self.staysOfTrip) {
                var sum = 0
                for trip in trips { for stay in trip.stays { sum &+= stay.nights } }
                guard sum == trips.count * 45 else { throw CocoaError(.coderReadCorrupt) }
            }
        }
    }

    private var search: Comparison {
        let searches = 2000
        return Comparison(title: "Find one by a unique value", target: 1.3, limit: 1.6) {
            let context = managedContext()
            return try cost(of: searches) {
                for number in 0..<searches {
                    let request = managedTrips()
                    request.predicate = NSPredicate(format: "code == %@", "T-\(number)")
                    guard try context.fetch(request).count == 1 else { throw CocoaError(.coderReadCorrupt) }
                }
            }
        } models: {
            let context = ModelContext(container)
            return try cost(of: searches) {
                for number in 0..<searches {
                    let code = "T-\(number)"
                    let descriptor = FetchDescriptor<Trip>(predicate: #Predicate { $0.code == code })
                    guard try context.fetch(descriptor).count == 1 else {
                        throw CocoaError(.coderReadCorrupt)
                    }
                }
            }
        }
    }

    private var memory: Comparison {
        Comparison(
            title: "Memory of a clean object", target: 64, limit: 112, unit: "bytes", isDifference: true
        ) {
            let context = managedContext()
            let before = heap_bytes()
            let trips = try context.fetch(managedTrips())
            consume(trips.reduce(0) { $0 &+ $1.seats })
            return withExtendedLifetime((trips, context)) { Double(heap_bytes() - before) / Double(count) }
        } models: {
            let context = ModelContext(container)
            let before = heap_bytes()
            let trips = try context.fetch(FetchDescriptor<Trip>())
            consume(trips.reduce(0) { $0 &+ $1.seats })
            return withExtendedLifetime((trips, context)) { Double(heap_bytes() - before) / Double(count) }
        }
    }

    /// Managed objects are enumerated by an array of their IDs.
    private var enumeration: Comparison {
        Comparison(
            title: "Memory for each row of an enumeration in batches", target: 0.25, limit: 0.5, unit: "bytes"
        ) {
            let context = managedContext()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Trip")
            request.resultType = .managedObjectIDResultType
            let before = heap_bytes()
            let ids = try context.fetch(request)
            return withExtendedLifetime(ids) { Double(heap_bytes() - before) / Double(count) }
        } models: {
            let context = ModelContext(container)
            let before = heap_bytes()
            var (calls, most) = (0, before)
            try context.enumerate(FetchDescriptor<Trip>(), batchSize: 500) { _ in
                calls += 1
                if calls % 500 == 0 { most = max(most, heap_bytes()) }
            }
            return Double(most - before) / Double(count)
        }
    }

    /// Both sides are models: five properties, and a struct with five elements.
    private var structs: Comparison {
        let reads = 20_000
        func sample(_ read: (Sample) -> Int) throws -> Double {
            let context = ModelContext(container)
            let samples = try context.fetch(FetchDescriptor<Sample>())
            guard samples.count == 1, read(samples[0]) == 15 else { throw CocoaError(.coderReadCorrupt) }
            return cost(of: reads) {
                var sum = 0
                for _ in 0..<reads { sum &+= read(samples[0]) }
                consume(sum)
            }
        }
        return Comparison(title: "Read a struct of five, beside five properties", target: 3, limit: 5) {
            try sample { $0.a &+ $0.b &+ $0.c &+ $0.d &+ $0.e }
        } models: {
            try sample {
                let all = $0.all
                return all.a &+ all.b &+ all.c &+ all.d &+ all.e
            }
        }
    }
}
