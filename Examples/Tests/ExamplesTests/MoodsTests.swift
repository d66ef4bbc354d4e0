import CoreData
import Foundation
import Testing

@testable import Moods

@Suite("Moods of countries and continents")
@MainActor
struct MoodsTests {
    private let file = ScratchFile("Moods")
    private var url: URL { file.url }
    private let container: NSPersistentContainer
    private var context: NSManagedObjectContext { container.viewContext }
    private let dawn = [Color(red: 255, green: 140, blue: 0), Color(red: 20, green: 30, blue: 90)]

    init() throws {
        container = try Self.open(file.url)
    }

    private static func open(_ url: URL) throws -> NSPersistentContainer {
        var result: Result<NSPersistentContainer, any Error>?
        createMoodsContainer(at: url) { result = $0 }
        return try #require(result).get()
    }

    @discardableResult
    private func mood(in country: ISO3166.Country) throws -> Mood {
        try Mood.insert(into: context, colors: dawn, country: country)
    }

    private func count(_ entity: String) throws -> Int {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    @Test("Colours, tags and places are read as they were saved")
    func values() throws {
        let place = Location(latitude: 52.5, longitude: 13.4)
        try Mood.insert(
            into: context, colors: dawn, country: .germany, location: place, tags: ["calm", "früh"])
        try Mood.insert(into: context, colors: [], country: .germany)
        try context.save()

        let reopened = try Self.open(url)
        let request = NSFetchRequest<Mood>(entityName: "Mood")
        request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
        let moods = try reopened.viewContext.fetch(request)
        #expect(moods.map(\.colors) == [dawn, []])
        #expect(moods.map(\.tags) == [["calm", "früh"], nil])
        #expect(moods.map(\.location) == [place, nil])
        #expect(moods.first?.country.iso3166Code == .germany)
        #expect(moods.first?.country.continent?.iso3166Code == .europe)
    }

    @Test("Colours are stored by the app's transformer, three bytes each", .needsFile)
    func storedColors() throws {
        try mood(in: .japan)
        try context.save()
        let bytes = try file.contents().values
        #expect(bytes.contains { $0.range(of: Data([255, 140, 0, 20, 30, 90])) != nil })
    }

    @Test("Countries and continents are regions, in one list and each alone")
    func inheritance() throws {
        for country in [ISO3166.Country.france, .germany, .kenya] { try mood(in: country) }
        try context.save()
        let regions = try context.fetch(Region.sortedRequest)
        #expect(regions.count == 5)
        #expect(regions.filter { $0 is Continent }.count == 2)
        #expect(regions.filter { $0 is Country }.count == 3)
        #expect(try count("Country") == 3)
        #expect(try count("Continent") == 2)
        let request = Region.sortedRequest
        request.predicate = NSPredicate(format: "entity = %@", Country.entity())
        #expect(try context.count(for: request) == 3)
        request.predicate = NSPredicate(format: "numericISO3166Code IN %@", [2, 276])
        #expect(Set(try context.fetch(request).map(\.entity.name)) == ["Continent", "Country"])
    }

    @Test("A country and its continent count their moods")
    func counts() throws {
        for _ in 0..<3 { try mood(in: .germany) }
        try mood(in: .switzerland)
        try context.save()
        let germany = try Country.findOrCreate(.germany, in: context)
        let europe = try #require(germany.continent)
        #expect(germany.numberOfMoods == 3)
        #expect(europe.numberOfMoods == 4)
        #expect(europe.numberOfCountries == 2)

        context.delete(try #require(germany.moods.first))
        try context.save()
        #expect(germany.numberOfMoods == 2)
        #expect(europe.numberOfMoods == 3)
        #expect(!context.hasChanges)
    }

    @Test("Counts are kept when the country is read only by its relationship")
    func countsOfFaults() throws {
        try mood(in: .germany)
        try context.save()
        let other = try Self.open(url)
        try Mood.insert(into: other.viewContext, colors: [], country: .germany)
        try other.viewContext.save()

        let last = try Self.open(url).viewContext
        let country = try Country.findOrCreate(.germany, in: last)
        #expect(country.numberOfMoods == 2)
        #expect(country.continent?.numberOfMoods == 2)
        #expect(country.moods.count == 2)
    }

    @Test("A region says when it last changed")
    func updateDates() throws {
        try mood(in: .germany)
        try mood(in: .kenya)
        try context.save()
        let germany = try Country.findOrCreate(.germany, in: context)
        let before = germany.updatedAt
        try mood(in: .germany)
        try context.save()
        #expect(germany.updatedAt > before)
        let newest = try context.fetch(Region.sortedRequest).prefix(2)
        #expect(Set(newest.map(\.numericISO3166Code)) == [276, 150])
    }

    @Test("Deleting the last mood deletes its country, and the last country its continent")
    func prepareForDeletion() throws {
        let first = try mood(in: .germany)
        let second = try mood(in: .germany)
        try mood(in: .kenya)
        try context.save()
        context.delete(first)
        try context.save()
        #expect(try count("Country") == 2)
        #expect(try count("Continent") == 2)
        context.delete(second)
        try context.save()
        #expect(try count("Country") == 1)
        #expect(try count("Continent") == 1)
        #expect(
            try context.fetch(NSFetchRequest<Continent>(entityName: "Continent")).first?.iso3166Code
                == .africa)
    }

    @Test("Deleting a country deletes its moods")
    func cascade() throws {
        try mood(in: .germany)
        try mood(in: .germany)
        try mood(in: .france)
        try context.save()
        context.delete(try Country.findOrCreate(.germany, in: context))
        try context.save()
        #expect(try count("Mood") == 1)
        #expect(try count("Country") == 1)
        #expect(try count("Continent") == 1)
        let europe = try Continent.findOrCreate(.europe, in: context)
        #expect(europe.numberOfCountries == 1)
        #expect(europe.numberOfMoods == 1)
    }

    @Test("Two regions cannot share a number, even if one is a country and one a continent")
    func uniqueness() throws {
        try mood(in: .germany)
        try context.save()
        context.mergePolicy = NSMergePolicy.error
        let twin = Country(context: context)
        twin.setValue(276, forKey: "numericISO3166Code")
        var error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        twin.setValue(150, forKey: "numericISO3166Code")
        error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        #expect(conflicts?.first?.constraint == ["numericISO3166Code"])
        context.rollback()
        #expect(try count("Region") == 2)
    }

    @Test("A country inserted by two contexts at once becomes one country with the moods of both")
    func merging() throws {
        let background = container.newBackgroundContext()
        background.mergePolicy = MoodsMergePolicy(mode: .remote)
        try background.performAndWait {
            try Mood.insert(into: background, colors: [], country: .germany)
            try Mood.insert(into: background, colors: [], country: .france)
        }
        try mood(in: .germany)
        try mood(in: .switzerland)
        try context.save()
        try background.performAndWait { try background.save() }

        let reopened = try Self.open(url).viewContext
        let regions = try reopened.fetch(Region.sortedRequest)
        #expect(regions.count == 4)
        let germany = try Country.findOrCreate(.germany, in: reopened)
        #expect(germany.moods.count == 2)
        #expect(germany.numberOfMoods == 2)
        let europe = try #require(germany.continent)
        #expect(europe.countries.count == 3)
        #expect(europe.numberOfCountries == 3)
        #expect(europe.numberOfMoods == 4)
        #expect(!reopened.hasChanges)
    }

    @Test("Places beyond the poles are refused")
    func limits() throws {
        let mood = try mood(in: .brazil)
        mood.location = Location(latitude: 91, longitude: -180)
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSValidationNumberTooLargeError)
        mood.location?.latitude = -90
        try context.save()
    }

    @Test("An observer is called for changes to its own object, and for its deletion")
    func observing() throws {
        @MainActor final class Log { var changes: [ManagedObjectObserver.Change] = [] }
        let germany = try mood(in: .germany)
        let kenya = try mood(in: .kenya)
        try context.save()

        let log = Log()
        let observer = try #require(ManagedObjectObserver(object: germany) { log.changes.append($0) })
        kenya.tags = ["far"]
        context.processPendingChanges()
        #expect(log.changes == [])
        germany.tags = ["near"]
        context.processPendingChanges()
        #expect(log.changes == [.updated])
        context.delete(germany)
        context.processPendingChanges()
        #expect(log.changes == [.updated, .deleted])
        withExtendedLifetime(observer) {}
    }

    @Test("A notification names what was inserted, updated and deleted")
    func notification() throws {
        let old = try mood(in: .germany)
        try context.save()
        @MainActor final class Log { var changes: [[Set<NSManagedObjectID>]] = [] }
        let log = Log()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { notification in
            let note = ObjectsDidChangeNotification(notification)
            let groups = [note.insertedObjects, note.updatedObjects, note.deletedObjects]
            let changes = groups.map { Set($0.map(\.objectID)) }
            MainActor.assumeIsolated { log.changes.append(changes) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        let new = try mood(in: .germany)
        context.delete(old)
        context.processPendingChanges()
        func all(_ group: Int) -> Set<NSManagedObjectID> { log.changes.reduce([]) { $0.union($1[group]) } }
        #expect(all(0) == [new.objectID])
        #expect(all(2) == [old.objectID])
        #expect(all(1).contains(new.country.objectID))
        #expect(!all(1).contains(old.objectID))
    }

    @Test("A diary keeps its order, and is saved when the order alone changes")
    func diary() throws {
        let diary = Diary(context: context)
        diary.title = "Summer"
        let moods = try [ISO3166.Country.france, .japan, .kenya].map { try mood(in: $0) }
        for mood in moods { diary.addToMoods(mood) }
        try context.save()
        diary.move(from: 2, to: 0)
        try context.save()

        func countries() throws -> [ISO3166.Country?] {
            let request = NSFetchRequest<Diary>(entityName: "Diary")
            let reopened = try Self.open(url)
            let diary = try reopened.viewContext.fetch(request).first
            return withExtendedLifetime(reopened) { diary?.allMoods.map(\.country.iso3166Code) ?? [] }
        }
        #expect(try countries() == [.kenya, .france, .japan])
        diary.insertIntoMoods(try mood(in: .brazil), at: 1)
        diary.removeFromMoods(at: 3)
        try context.save()
        #expect(try countries() == [.kenya, .brazil, .france])
        context.delete(moods[0])
        try context.save()
        #expect(try countries() == [.kenya, .brazil])
        #expect(moods[2].diaries == [diary])
        #expect(moods[1].diaries == [])
    }
}
