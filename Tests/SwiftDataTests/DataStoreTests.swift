#if SwiftData
import CoreData
import SwiftData
import Testing

@Suite("Stores of an app's own")
struct DataStoreTests {
    private let scratch: ScratchStore
    private var file: URL { scratch.url.deletingLastPathComponent().appending(path: "note book.json") }

    init() throws { scratch = try ScratchStore() }

    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: Trip.self, Guide.self, configurations: NotebookConfiguration(name: "notes", file: file))
    }

    /// Saves three trips; the first has a guide and two stays.
    private func fill(_ container: ModelContainer) throws {
        let context = ModelContext(container)
        let guide = Guide(name: "Ada")
        for (index, name) in ["Alps", "Baltic", "Crete"].enumerated() {
            let trip = Trip(code: "T\(index)", name: name)
            trip.seats = 10 - index
            context.insert(trip)
            guard index == 0 else { continue }
            trip.guide = guide
            trip.start = Date(timeIntervalSinceReferenceDate: 1000)
            trip.stays = [Stay("Bern", nights: 2), Stay("Chur", nights: 1)]
        }
        try context.save()
    }

    @Test("Models are saved to a file of the app's format, and read by another container")
    func roundTrip() throws {
        defer { scratch.remove() }
        try fill(container())
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\"name\" : \"Alps\"") && text.contains("\"2001-01-01T00:16:40Z\""))
        let context = ModelContext(try container())
        let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)]))
        #expect(trips.map(\.name) == ["Alps", "Baltic", "Crete"])
        #expect(trips[0].guide?.name == "Ada")
        #expect(trips[0].guide?.trips == [trips[0]])
        #expect(trips[0].start == Date(timeIntervalSinceReferenceDate: 1000))
        #expect(Set(trips[0].stays.map(\.town)) == ["Bern", "Chur"])
        #expect(trips[0].stays.allSatisfy { $0.trip === trips[0] })
        #expect(trips[1].guide == nil && trips[1].stays.isEmpty && trips[1].rating == nil)
    }

    @Test(
        "The framework tests conditions, sorts and counts what a store leaves to it, unsaved changes included"
    )
    func inMemory() throws {
        defer { scratch.remove() }
        let container = try container()
        try fill(container)
        let context = ModelContext(container)
        func names(_ descriptor: FetchDescriptor<Trip>) throws -> [String] {
            try context.fetch(descriptor).map(\.name)
        }
        let many = #Predicate<Trip> { $0.seats >= 9 }
        #expect(
            try names(FetchDescriptor(predicate: many, sortBy: [SortDescriptor(\.seats)])) == [
                "Baltic", "Alps",
            ])
        #expect(try names(FetchDescriptor(predicate: #Predicate { $0.guide?.name == "Ada" })) == ["Alps"])
        #expect(
            try names(FetchDescriptor(predicate: #Predicate { $0.stays.contains { $0.town == "Chur" } })) == [
                "Alps"
            ])
        #expect(try context.fetchCount(FetchDescriptor(predicate: many)) == 2)
        #expect(try context.fetchCount(FetchDescriptor<Stay>()) == 2)
        var page = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, order: .reverse)])
        (page.fetchLimit, page.fetchOffset) = (1, 1)
        #expect(try names(page) == ["Baltic"])
        let crete = try #require(
            try context.fetch(FetchDescriptor(predicate: #Predicate<Trip> { $0.name == "Crete" })).first)
        crete.seats = 20
        context.insert(Trip(code: "T3", name: "Dolomites"))
        #expect(
            try names(FetchDescriptor(predicate: many, sortBy: [SortDescriptor(\.seats)])) == [
                "Baltic", "Alps", "Crete",
            ])
        var saved = FetchDescriptor(predicate: many, sortBy: [SortDescriptor(\Trip.seats)])
        saved.includePendingChanges = false
        #expect(try names(saved) == ["Baltic", "Alps"])
        #expect(try context.fetch(page, batchSize: 2).map(\.name) == ["Crete"])
        var all: [String] = []
        try context.enumerate(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])) { all.append($0.name) }
        #expect(all == ["Alps", "Baltic", "Crete", "Dolomites"])
    }

    @Test("New models get the identifiers that the store chose, and the other contexts see them")
    func identifiers() throws {
        defer { scratch.remove() }
        let container = try container()
        let other = ModelContext(container)
        let context = ModelContext(container)
        let trip = Trip(code: "T", name: "Alps", guide: Guide(name: "Ada"))
        context.insert(trip)
        #expect(trip.persistentModelID.storeIdentifier == nil)
        try context.save()
        let id = trip.persistentModelID
        #expect(id.storeIdentifier == "note book.json" && id.entityName == "Trip")
        let key = id.description.split(separator: "/").last!.dropFirst()
        #expect(UUID(uuidString: String(key)) != nil)
        #expect(
            try PersistentIdentifier.identifier(
                for: "note book.json", entityName: "Trip", primaryKey: UUID(uuidString: String(key))!) == id)
        let decoded = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(id))
        #expect(decoded == id && decoded.hashValue == id.hashValue)
        #expect((other.model(for: id) as? Trip)?.name == "Alps")
        // The identifiers of another container are equal, and lead to the same model.
        let again = ModelContext(try self.container())
        let found = try #require(try again.fetch(FetchDescriptor<Trip>()).first)
        #expect(found.persistentModelID == id)
        #expect((again.model(for: id) as? Trip) === found)
        #expect((again.model(for: trip.guide!.persistentModelID) as? Guide)?.name == "Ada")
        let sameID = id
        let byID = FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == sameID })
        #expect(try again.fetch(byID) == [found])
    }

    @Test("Changed and deleted models are written, with those whose relationships changed")
    func changes() throws {
        defer { scratch.remove() }
        let container = try container()
        try fill(container)
        let context = ModelContext(container)
        let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)]))
        trips[1].name = "Baltic Sea"
        trips[1].stays = [try #require(trips[0].stays.first { $0.town == "Chur" })]
        context.delete(trips[2])
        try context.save()
        let reader = ModelContext(try self.container())
        let read = try reader.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)]))
        #expect(read.map(\.name) == ["Alps", "Baltic Sea"])
        #expect(read[0].stays.map(\.town) == ["Bern"] && read[1].stays.map(\.town) == ["Chur"])
        // The delete rule takes the stays along.
        reader.delete(read[0])
        try reader.save()
        #expect(try reader.fetch(FetchDescriptor<Stay>()).map(\.town) == ["Chur"])
        #expect(try reader.fetch(FetchDescriptor<Guide>()).map(\.trips.count) == [0])
    }

    @Test("A fetch shows what others have written to the store meanwhile")
    func foreignChanges() throws {
        defer { scratch.remove() }
        let container = try container()
        try fill(container)
        let context = ModelContext(container)
        let byCode = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)])
        let trips = try context.fetch(byCode)
        #expect(trips[0].name == "Alps")
        let other = ModelContext(try self.container())
        try other.fetch(byCode)[0].name = "Andes"
        try other.save()
        #expect(try context.fetch(byCode)[0].name == "Andes")
        #expect(trips[0].name == "Andes")
    }

    @Test("A save that the store refuses fails with its error, keeps the changes, and can be repeated")
    func refusal() throws {
        defer { scratch.remove() }
        let container = try container()
        let context = ModelContext(container)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let trip = Trip(code: "T", name: "Alps")
        context.insert(trip)
        #expect(throws: (any Error).self) { try context.save() }
        #expect(context.hasChanges && trip.persistentModelID.storeIdentifier == nil)
        try FileManager.default.removeItem(at: file)
        try context.save()
        #expect(try ModelContext(try self.container()).fetch(FetchDescriptor<Trip>()).map(\.name) == ["Alps"])
    }

    @Test("A store that cannot be opened is an error of the container with the store's own in it")
    func failure() throws {
        defer { scratch.remove() }
        try Data("{".utf8).write(to: file)
        let error = #expect(throws: SwiftDataError.self) { try container() }
        #expect(error == .loadIssueModelContainer && "\(error!)".contains("notes"))
    }

    @Test("Models of a store without batches are deleted by a save, and erasing deletes all")
    func deletion() throws {
        defer { scratch.remove() }
        let container = try container()
        try fill(container)
        let context = ModelContext(container)
        let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.code)]))
        try context.delete(model: Trip.self, where: #Predicate { $0.seats < 10 })
        #expect(try context.fetch(FetchDescriptor<Trip>()) == [trips[0]])
        #expect(trips[1].isDeleted)
        try container.erase()
        let reader = ModelContext(try self.container())
        #expect(try reader.fetchCount(FetchDescriptor<Trip>()) == 0)
        #expect(try reader.fetchCount(FetchDescriptor<Guide>()) == 0)
    }

    @Test("A container has stores of an app's own beside files of Core Data")
    func several() throws {
        defer { scratch.remove() }
        let container = try ModelContainer(
            for: Schema([Guide.self, Everything.self]),
            configurations: [
                NotebookConfiguration(name: "notes", schema: Schema([Guide.self]), file: file),
                ModelConfiguration("rest", schema: Schema([Everything.self]), url: scratch.url),
            ])
        let context = ModelContext(container)
        context.insert(Guide(name: "Ada"))
        context.insert(Everything())
        try context.save()
        #expect(try String(contentsOf: file, encoding: .utf8).contains("Ada"))
        #expect(FileManager.default.fileExists(atPath: scratch.url.path))
        let reader = ModelContext(container)
        #expect(try reader.fetchCount(FetchDescriptor<Everything>()) == 1)
        #expect(try reader.fetch(FetchDescriptor<Guide>()).map(\.name) == ["Ada"])
        #expect(container.configurations.map(\.name) == ["rest"])
    }
}
#endif
