#if SwiftData
import SwiftData
import Testing

@Suite("Fetches with Swift's predicates and sort descriptors")
struct FetchTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try memoryContainer(Trip.self))
        for (code, name, nights) in [("A", "Alps", 3), ("B", "Balkan", 0), ("C", "Corsica", 5)] {
            let trip = Trip(code: code, name: name, guide: code == "B" ? nil : Guide(name: "Guide \(code)"))
            trip.rating = code == "C" ? 4.5 : nil
            if nights > 0 { trip.stays = [Stay("Town \(code)", nights: nights)] }
            context.insert(trip)
        }
        try context.save()
    }

    private func codes(_ predicate: Predicate<Trip>) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.code)])).map(\.code)
    }

    @Test("Attributes are compared with captured values")
    func attributes() throws {
        let name = "Balkan"
        #expect(try codes(#Predicate { $0.name == name }) == ["B"])
        #expect(try codes(#Predicate { $0.name.contains("a") && $0.seats < 10 }) == ["B", "C"])
        #expect(try codes(#Predicate { $0.rating == nil }) == ["A", "B"])
        #expect(try codes(#Predicate { ($0.rating ?? 0) > 4 }) == ["C"])
        #expect(try codes(#Predicate { !$0.isBooked }) == ["A", "B", "C"])
    }

    @Test("An optional to-one relationship is compared with nil, and followed")
    func toOne() throws {
        #expect(try codes(#Predicate { $0.guide == nil }) == ["B"])
        #expect(try codes(#Predicate { $0.guide != nil }) == ["A", "C"])
        #expect(try codes(#Predicate { $0.guide?.name == "Guide C" }) == ["C"])
    }

    @Test("A to-many relationship is counted, and asked for members")
    func toMany() throws {
        #expect(try codes(#Predicate { $0.stays.isEmpty }) == ["B"])
        #expect(try codes(#Predicate { $0.stays.isEmpty == false }) == ["A", "C"])
        #expect(try codes(#Predicate { $0.stays.count == 1 }) == ["A", "C"])
        #expect(try codes(#Predicate { $0.stays.contains { $0.nights > 4 } }) == ["C"])
    }

    @Test("Identifiers are constants, of models and of what relationships lead to")
    func identifiers() throws {
        let trip = try #require(
            try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])).first)
        let id = trip.persistentModelID
        #expect(try codes(#Predicate { $0.persistentModelID == id }) == ["A"])
        let ids = [id]
        #expect(try codes(#Predicate { ids.contains($0.persistentModelID) }) == ["A"])
        let guide = try #require(trip.guide?.persistentModelID)
        #expect(try codes(#Predicate { $0.guide?.persistentModelID == guide }) == ["A"])
        let stays = try context.fetch(
            FetchDescriptor<Stay>(predicate: #Predicate { $0.trip?.guide?.persistentModelID == guide }))
        #expect(stays.map(\.town) == ["Town A"])
    }

    @Test("Results are sorted, also through a relationship, limited and moved on")
    func sorting() throws {
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, order: .reverse)])
        #expect(try context.fetch(descriptor).map(\.code) == ["C", "B", "A"])
        (descriptor.fetchLimit, descriptor.fetchOffset) = (1, 1)
        #expect(try context.fetch(descriptor).map(\.code) == ["B"])
        descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.guide?.name, order: .reverse)])
        #expect(try context.fetch(descriptor).map(\.code) == ["C", "A", "B"])
    }

    @Test("Unsaved changes count unless a descriptor leaves them out")
    func pendingChanges() throws {
        context.insert(Trip(code: "D", name: "Dalmatia"))
        var descriptor = FetchDescriptor<Trip>()
        #expect(try context.fetchCount(descriptor) == 4)
        descriptor.includePendingChanges = false
        #expect(try context.fetchCount(descriptor) == 3)
    }

    @Test("Key paths may be spelled on a generic parameter")
    func genericKeyPaths() throws {
        #expect(try names(Trip.self, "Balkan") == ["Balkan"])
        #expect(try names(Guide.self, "Guide A") == ["Guide A"])
        let context = context
        func guided<Model: Guided>(_ type: Model.Type) throws -> [String] {
            let descriptor = FetchDescriptor<Model>(
                predicate: #Predicate { $0.guide != nil && $0.guide?.name != "Guide C" },
                sortBy: [SortDescriptor(\.guide?.name)])
            return try context.fetch(descriptor).compactMap { $0.guide?.name }
        }
        #expect(try guided(Trip.self) == ["Guide A"])
    }

    private func names<Model: Named>(_ type: Model.Type, _ name: String) throws -> [String] {
        let descriptor = FetchDescriptor<Model>(
            predicate: #Predicate { $0.name == name }, sortBy: [SortDescriptor(\.name)])
        return try context.fetch(descriptor).map(\.name)
    }

    @Test("A computed property that returns a stored one stands for it")
    func aliases() throws {
        #expect(try codes(#Predicate { $0.label == "Balkan" }) == ["B"])
        #expect(try codes(#Predicate { $0.leader == nil }) == ["B"])
        #expect(try codes(#Predicate { $0.leaderName == "Guide C" }) == ["C"])
        let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.label, order: .reverse)])
        #expect(try context.fetch(descriptor).map(\.code) == ["C", "B", "A"])
    }

    @Test("Unsigned numbers are compared and sorted by their values, however large they are")
    func unsignedNumbers() throws {
        let context = ModelContext(try memoryContainer(Everything.self))
        let (small, large) = (Everything(), Everything())
        (large.uint8, large.uint16, large.uint32) = (200, 60_000, 4_000_000_000)
        for model in [large, small] { context.insert(model) }
        try context.save()
        let fresh = ModelContext(context.container)
        func count(_ predicate: Predicate<Everything>) throws -> Int {
            try fresh.fetchCount(FetchDescriptor(predicate: predicate))
        }
        #expect(try count(#Predicate { $0.uint8 > 150 }) == 1)
        #expect(try count(#Predicate { $0.uint16 > 40_000 }) == 1)
        #expect(try count(#Predicate { $0.uint32 > 3_000_000_000 }) == 1)
        let sorted = FetchDescriptor<Everything>(sortBy: [SortDescriptor(\.uint16), SortDescriptor(\.uint32)])
        #expect(try fresh.fetch(sorted).map(\.uint16) == [0, 60_000])
    }

    @Test("A property that no store has is an error that says what it is made of")
    func unstoredProperties() throws {
        func message(_ predicate: Predicate<Trip>) -> String {
            let error = #expect(throws: SwiftDataError.self) { try codes(predicate) }
            return error.map { "\($0)" } ?? ""
        }
        #expect(message(#Predicate { $0.title == "A Alps" }).contains("is computed of code and name of Trip"))
        #expect(message(#Predicate { $0.stars > 1 }).contains("is computed of rating of Trip"))
        #expect(message(#Predicate { $0.lowercased == "a" }).contains("is computed of name of Trip"))
        #expect(message(#Predicate { $0.freeSeats == 1 }).contains("is computed of seats of Trip"))
        #expect(message(#Predicate { $0.opened == 1 }).contains("is no stored property of Trip"))
        #expect(throws: SwiftDataError.self) {
            try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.title)]))
        }
    }
}

private protocol Named: PersistentModel {
    var name: String { get }
}

private protocol Guided: PersistentModel {
    var guide: Guide? { get }
}

extension Trip: Named, Guided {
    fileprivate var label: String { name }
    fileprivate var leader: Guide? { guide }
    fileprivate var leaderName: String? { guide?.name }
    fileprivate var stars: Double { rating ?? 0 }
    fileprivate var lowercased: String { name.lowercased() }
    fileprivate var freeSeats: Int { max(0, seats) }
}

extension Guide: Named {}
#endif
