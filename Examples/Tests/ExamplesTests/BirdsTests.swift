import SwiftData
import Testing

@testable import BirdClub
@testable import Birds
@testable import FieldJournal

@Suite("The birds that a club's members see")
struct BirdsTests {
    private let file = ScratchFile("Birds")
    private let noon = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func container() throws -> ModelContainer { try birdsContainer(at: file.url) }

    /// Two checklists, of which the second has no end, no weather, and a bird that nobody knows.
    private static let checklists = """
        [{"id": "8C0F4B0E-5B7E-4B3B-9C1D-6B2A1F0E9D01", "title": "Marsh at dawn",
          "start": "2026-05-02T05:10:00Z", "end": "2026-05-02T08:00:00Z", "observer": "Ines",
          "weather": {"sky": "fog", "celsius": 7.5}, "notes": ["Ice on the reeds"],
          "entries": [
            {"code": "EUBI", "name": "Bittern", "family": "heron", "count": 2, "behaviour": "singing",
             "spot": {"latitude": 53.25, "longitude": 10.5}},
            {"code": "MALL", "name": "Mallard", "family": "duck", "count": 14}]},
         {"id": "8C0F4B0E-5B7E-4B3B-9C1D-6B2A1F0E9D02", "title": "Behind the house",
          "start": "2026-05-03T17:30:00Z", "observer": "Ines",
          "entries": [
            {"code": "TAOW", "name": "Tawny Owl", "family": "owl", "count": 1},
            {"code": "MALL", "name": "Wild Duck", "count": 1}]}]
        """

    @discardableResult
    private static func importAll(into container: ModelContainer) async throws -> Int {
        try await ChecklistImporter(modelContainer: container)
            .add(Checklist.list(from: Data(checklists.utf8)))
    }

    private func titles(_ predicate: Predicate<Outing>?, in context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])).map(
            \.title)
    }

    // MARK: The models

    @Test("Enumerations, structs, texts and optionals are read as they were saved")
    func values() async throws {
        try await Self.importAll(into: container())
        let context = ModelContext(try container())
        let outings = try context.fetch(FetchDescriptor<Outing>(sortBy: [SortDescriptor(\.start)]))
        #expect(outings.map(\.weather) == [Weather(sky: .fog, celsius: 7.5), nil])
        #expect(outings.map(\.notes) == [["Ice on the reeds"], []])
        #expect(outings.map { $0.end == nil } == [false, true])
        let bittern = try #require(outings[0].sightings.first { $0.species?.code == "EUBI" })
        #expect(bittern.behaviour == .singing && bittern.species?.family == .heron)
        #expect(bittern.spot == Spot(latitude: 53.25, longitude: 10.5))
        #expect(outings[1].sightings.map(\.behaviour) == [nil, nil])
    }

    @Test("A photo is read as it was saved, and its sighting goes with the outing")
    func cascade() async throws {
        try await Self.importAll(into: container())
        let photo = Data(repeating: 7, count: 300_000)
        var context = ModelContext(try container())
        let sightings = FetchDescriptor<Sighting>(
            predicate: #Predicate { $0.outing?.title == "Marsh at dawn" })
        try context.fetch(sightings).first?.photo = photo
        try context.save()
        context = ModelContext(try container())
        let found = try context.fetch(sightings)
        #expect(found.count == 2 && found.contains { $0.photo == photo })
        if let outing = found.first?.outing { context.delete(outing) }
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Sighting>()) == 2)
        #expect(try context.fetchCount(FetchDescriptor<Species>()) == 3)
        #expect(try context.fetch(FetchDescriptor<Observer>()).map(\.outings.count) == [1])
    }

    @Test("A species that was seen cannot be deleted")
    func deny() async throws {
        try await Self.importAll(into: container())
        let context = ModelContext(try container())
        let owl = try #require(
            try context.fetch(FetchDescriptor<Species>(predicate: #Predicate { $0.code == "TAOW" })).first)
        context.delete(owl)
        #expect(throws: (any Error).self) { try context.save() }
        context.rollback()
        for sighting in owl.sightings { context.delete(sighting) }
        try context.save()
        context.delete(owl)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Species>()) == 2)
    }

    // MARK: Conditions

    @Test("Outings are found by their title, their observer and their birds")
    func search() async throws {
        let container = try container()
        try await Self.importAll(into: container)
        let context = ModelContext(container)
        context.insert(Outing(title: "Évora", start: noon))
        try context.save()
        #expect(try titles(Outing.matching("evora"), in: context) == ["Évora"])
        #expect(try titles(Outing.matching("INES"), in: context) == ["Behind the house", "Marsh at dawn"])
        #expect(try titles(Outing.matching("owl"), in: context) == ["Behind the house"])
        #expect(try titles(Outing.matching("heron"), in: context) == [])
        #expect(try titles(Outing.matching(""), in: context).count == 3)
    }

    @Test("An outing without an end counts at its beginning")
    func interval() throws {
        let context = ModelContext(try container())
        let (long, short) = (Outing(title: "Long", start: noon), Outing(title: "Short", start: noon))
        long.end = noon + 7200
        for outing in [long, short] { context.insert(outing) }
        try context.save()
        let later = DateInterval(start: noon + 3600, duration: 60)
        #expect(try titles(Outing.within(later), in: context) == ["Long"])
        #expect(
            try titles(Outing.within(DateInterval(start: noon - 60, duration: 61)), in: context).count == 2)
        #expect(try titles(Outing.within(DateInterval(start: noon - 60, duration: 60)), in: context) == [])
    }

    @Test("Birds are found by their family and the weather of their outing")
    func families() async throws {
        let container = try container()
        try await Self.importAll(into: container)
        let context = ModelContext(container)
        func codes(_ families: Set<Family>, below celsius: Double) throws -> [String] {
            try context.fetch(
                FetchDescriptor(
                    predicate: Sighting.of(families, below: celsius),
                    sortBy: [SortDescriptor(\.species?.code)])
            ).compactMap(\.species?.code)
        }
        #expect(try codes([.heron, .duck], below: 8) == ["EUBI", "MALL"])
        #expect(try codes([.heron, .owl], below: 8) == ["EUBI"])
        #expect(try codes([.heron, .owl], below: 7) == [])
        #expect(try codes([.heron, .owl], below: 100) == ["EUBI", "TAOW"])
    }

    // MARK: The import

    @Test("A checklist that was imported is not imported again, and a species stays one")
    func importTwice() async throws {
        let container = try container()
        #expect(try await Self.importAll(into: container) == 2)
        #expect(try await Self.importAll(into: container) == 0)
        let context = ModelContext(container)
        #expect(try context.fetchCount(FetchDescriptor<Sighting>()) == 4)
        let species = try context.fetch(FetchDescriptor<Species>(sortBy: [SortDescriptor(\.code)]))
        #expect(species.map(\.name) == ["Bittern", "Mallard", "Tawny Owl"])
        #expect(species.map(\.sightings.count) == [1, 2, 1])
        #expect(try context.fetch(FetchDescriptor<Observer>()).map(\.name) == ["Ines"])
    }

    // MARK: The app

    @Test("The journal lists the user's outings and those that are imported, and finds them by a text")
    @MainActor
    func journal() async throws {
        let container = try container()
        let journal = try Journal(container, user: "Ada")
        let walk = try journal.begin("Along the river", at: noon, in: Weather(sky: .clear))
        try journal.note("MALL", count: 3, .feeding, on: walk)
        #expect(journal.outings.map(\.title) == ["Along the river"])
        #expect(try await Self.importAll(into: container) == 2)
        container.mainContext.processPendingChanges()
        #expect(journal.outings.map(\.title) == ["Along the river", "Behind the house", "Marsh at dawn"])
        #expect(walk.sightings.first?.species?.sightings.count == 3)
        journal.text = "ada"
        #expect(journal.outings.map(\.title) == ["Along the river"])
        try journal.delete(walk)
        #expect(journal.outings.isEmpty)
        journal.text = ""
        #expect(journal.outings.count == 2)
    }

    // MARK: The folder

    @Test("Checklists are imported into a folder of files, and found, changed and deleted there")
    func folder() async throws {
        let folder = URL.temporaryDirectory.appending(path: "Birds-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        func open() throws -> ModelContainer {
            let container = try ModelContainer(
                for: Schema(versionedSchema: BirdsV2.self),
                configurations: FolderConfiguration(folder: folder))
            return container
        }
        try await Self.importAll(into: open())
        func files(_ prefix: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).count { $0.hasPrefix(prefix) }
        }
        #expect(try [files("Outing-"), files("Sighting-"), files("Species-")] == [2, 4, 3])
        let context = ModelContext(try open())
        let owls = #Predicate<Outing> { $0.sightings.contains { $0.species?.name == "Tawny Owl" } }
        let found = try context.fetch(FetchDescriptor(predicate: owls))
        #expect(found.map(\.title) == ["Behind the house"] && found[0].observer?.name == "Ines")
        let marsh = try #require(
            try context.fetch(FetchDescriptor<Outing>(predicate: #Predicate { $0.title == "Marsh at dawn" }))
                .first)
        #expect(marsh.weather == Weather(sky: .fog, celsius: 7.5) && marsh.notes == ["Ice on the reeds"])
        marsh.notes.append("Gone by noon")
        context.delete(found[0])
        try context.save()
        #expect(try [files("Outing-"), files("Sighting-"), files("Species-")] == [1, 2, 3])
        let again = ModelContext(try open())
        #expect(try again.fetch(FetchDescriptor<Outing>()).map(\.notes.count) == [2])
    }

    // MARK: The server

    @Test("The server's program imports a file, lists species, and tells news once")
    func club() async throws {
        let folder = URL.temporaryDirectory.appending(path: "BirdClub-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (checklists, token) = (folder.appending(path: "all.json"), folder.appending(path: "token"))
        try Data(Self.checklists.utf8).write(to: checklists)

        // A process makes its container when it starts.
        func answer(_ words: String...) async throws -> [String] {
            try await Club(container: container()).answer(words)
        }
        #expect(try await answer("news", token.path) == [])
        #expect(try await answer("import", checklists.path) == ["2 of 2 checklists are new"])
        #expect(
            try await answer("species")
                == ["Bittern: 2 on 1 outings", "Mallard: 15 on 2 outings", "Tawny Owl: 1 on 1 outings"])
        #expect(try await answer("news", token.path) == ["+ Marsh at dawn", "+ Behind the house"])
        #expect(try await answer("news", token.path) == [])
        let context = ModelContext(try container())
        try context.delete(model: Outing.self, where: #Predicate { $0.weather == nil })
        #expect(try await answer("news", token.path) == ["- Behind the house"])
        await #expect(throws: Club.Misuse.self) { try await answer("import") }
    }

    // MARK: The migration

    @Test("A store of the first version has each species once afterwards, with the sightings of all")
    func migration() throws {
        let old = ModelContext(
            try ModelContainer(
                for: Schema(versionedSchema: BirdsV1.self), configurations: ModelConfiguration(url: file.url))
        )
        let outing = BirdsV1.Outing(title: "Marsh", date: noon)
        old.insert(outing)
        for (code, name, count) in [("MALL", "Mallard", 2), ("EUBI", "Bittern", 1), ("MALL", "Duck", 5)] {
            outing.sightings.append(BirdsV1.Sighting(BirdsV1.Species(code: code, name: name), count: count))
        }
        try old.save()
        let id = outing.checklistID

        let context = ModelContext(try container())
        let species = try context.fetch(FetchDescriptor<Species>(sortBy: [SortDescriptor(\.code)]))
        #expect(species.map(\.name) == ["Bittern", "Mallard"])
        #expect(species.map(\.family) == [.other, .other])
        #expect(species.map { $0.sightings.map(\.count).sorted() } == [[1], [2, 5]])
        let migrated = try #require(try context.fetch(FetchDescriptor<Outing>()).first)
        #expect(migrated.checklistID == id && migrated.start == noon && migrated.weather == nil)
        #expect(migrated.sightings.count == 3)
    }
}
