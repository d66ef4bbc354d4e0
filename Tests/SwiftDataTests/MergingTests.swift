#if SwiftData
import SwiftData
import Testing

@Suite("Merging between contexts")
struct MergingTests {
    private let container: ModelContainer
    private let context: ModelContext
    private let other: ModelContext

    init() throws {
        container = try memoryContainer(Trip.self)
        context = ModelContext(container)
        other = ModelContext(container)
        for (code, name) in [("A", "Alps"), ("B", "Balkan"), ("C", "Corsica")] {
            let trip = Trip(code: code, name: name, guide: Guide(name: "Guide \(code)"))
            trip.stays = [Stay("Town \(code)", nights: 1)]
            context.insert(trip)
        }
        try context.save()
    }

    private func trip(_ code: String, in context: ModelContext) throws -> Trip {
        let found = try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.code == code }))
        return try #require(found.first)
    }

    @Test("A context takes over what another one saved with its next fetch, and keeps its own changes")
    func updates() throws {
        let own = try trip("A", in: context)
        own.seats = 9
        let theirs = try trip("A", in: other)
        theirs.name = "Andes"
        theirs.guide = nil
        try other.save()
        #expect(own.name == "Alps")
        #expect(try trip("A", in: context) === own)
        #expect(own.name == "Andes" && own.guide == nil && own.seats == 9)
        try context.save()
        other.processPendingChanges()
        #expect(theirs.seats == 9 && theirs.name == "Andes" && !other.hasChanges)
    }

    @Test("A save takes over first what another context saved")
    func saving() throws {
        let own = try trip("A", in: context)
        own.seats = 9
        try trip("A", in: other).name = "Andes"
        try other.save()
        try context.save()
        #expect(own.name == "Andes" && own.seats == 9)
    }

    @Test("A context that does not merge keeps the values that it read")
    func isolated() throws {
        context.mergesOtherSaves = false
        let own = try trip("A", in: context)
        #expect(own.name == "Alps")
        try trip("A", in: other).name = "Andes"
        try other.save()
        #expect(try trip("A", in: context).name == "Alps")
    }

    @Test("A model that another context deleted keeps its last values, also if they were not read before")
    func deletions() throws {
        let (read, unread) = (try trip("A", in: context), try trip("B", in: context))
        let stay = try #require(read.stays.first)
        #expect(read.name == "Alps" && stay.town == "Town A")
        let id = unread.persistentModelID
        other.delete(try trip("A", in: other))
        other.delete(try trip("B", in: other))
        try other.save()
        #expect(unread.name == "Balkan")
        #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 1)
        for trip in [read, unread] { #expect(trip.isDeleted && trip.modelContext == nil && !trip.hasChanges) }
        #expect(read.name == "Alps" && unread.name == "Balkan" && unread.persistentModelID == id)
        #expect(stay.isDeleted && stay.town == "Town A" && stay.trip == nil)
        #expect(!context.hasChanges && context.deletedModelsArray.isEmpty)
        context.delete(read)
        try context.save()
    }

    @Test("A model whose row is gone cannot be changed, and the message says what to do")
    func writing() async {
        func message(_ result: ExitTest.Result?) -> String {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        }
        let change = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.deleted().seats = 1
        }
        #expect(message(change).contains("A Trip was deleted and cannot be changed: insert it again first"))
        let relationship = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.deleted().stays = []
        }
        #expect(message(relationship).contains("A Trip was deleted and cannot be changed"))
        let destination = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stay = Stay("Bern", nights: 1)
            ModelContext(try memoryContainer(Trip.self)).insert(stay)
            stay.trip = try Self.deleted()
        }
        #expect(message(destination).contains("A Trip was deleted and cannot be changed"))
    }

    private static func deleted() throws -> Trip {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        try context.save()
        context.delete(trip)
        try context.save()
        return trip
    }

    @Test("A deleted model that is inserted again gets a new row with its attributes")
    func insertingAgain() throws {
        let trip = try trip("A", in: context)
        let id = trip.persistentModelID
        context.delete(trip)
        try context.save()
        context.insert(trip)
        trip.seats = 7
        try context.save()
        #expect(!trip.isDeleted && trip.modelContext == context && trip.persistentModelID != id)
        let found = try self.trip("A", in: other)
        #expect(found.name == "Alps" && found.seats == 7 && found.persistentModelID == trip.persistentModelID)
    }
}

@Suite("Deletion of all models that meet a condition")
struct BatchDeletionTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try memoryContainer(Trip.self)
        context = ModelContext(container)
        for code in ["A", "B", "C"] {
            let trip = Trip(code: code, name: "Trip \(code)", guide: Guide(name: "Guide \(code)"))
            trip.stays = [Stay("Town \(code)", nights: 1)]
            context.insert(trip)
        }
        try context.save()
    }

    @Test("Rows go at once, with those that delete rules name, and the contexts' models with them")
    func deleting() throws {
        let other = ModelContext(container)
        let sorted = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])
        let (own, theirs) = (try context.fetch(sorted), try other.fetch(sorted))
        let guide = try #require(own[0].guide)
        #expect(guide.trips.count == 1)
        try context.delete(model: Trip.self, where: #Predicate { $0.code != "B" })
        #expect(own.map(\.isDeleted) == [true, false, true] && guide.trips.isEmpty && !context.hasChanges)
        #expect(own[0].name == "Trip A")
        #expect(try other.fetchCount(FetchDescriptor<Stay>()) == 1)
        #expect(theirs.map(\.isDeleted) == [true, false, true] && theirs[2].name == "Trip C")
        try context.delete(model: Trip.self)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Guide>()) == 3)
    }

    @Test("Inserted models stay, and unsaved changes do not decide")
    func unsavedChanges() throws {
        let trip = try #require(
            try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.code == "A" })).first)
        trip.name = "Kept?"
        context.insert(Trip(code: "D", name: "Trip D"))
        try context.delete(model: Trip.self, where: #Predicate { $0.name.starts(with: "Trip") })
        #expect(trip.isDeleted && trip.name == "Kept?")
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Trip>()).map(\.code) == ["D"])
    }

    @Test("A condition that no store can be asked is an error, and nothing is deleted")
    func refusal() throws {
        let error = #expect(throws: SwiftDataError.self) {
            try context.delete(model: Trip.self, where: #Predicate { $0.title == "A Trip A" })
        }
        #expect(error.map { "\($0)".contains("is computed of code and name of Trip") } == true)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 3)
    }
}
#endif
