#if SwiftData
import SwiftData
import Testing

@Suite("Models before and after they are inserted")
struct ModelTests {
    @Test("A model is read and written before any container exists")
    func uninserted() {
        let trip = Trip(code: "A", name: "Alps")
        trip.seats += 2
        trip.name = "Andes"
        #expect(trip.title == "A Andes")
        #expect(trip.seats == 6)
        #expect(trip.start == nil && trip.rating == nil && trip.guide == nil)
        #expect(trip.stays.isEmpty)
        #expect(trip.modelContext == nil && !trip.hasChanges)
    }

    @Test("The expression of a default value is evaluated for each object")
    func defaults() {
        #expect(Guide(name: "a").id != Guide(name: "b").id)
    }

    @Test("Inserting a model inserts what its relationships lead to, and sets their other sides")
    func insertion() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps", guide: Guide(name: "Ada"))
        let stay = Stay("Bern", nights: 2)
        trip.stays = [stay, Stay("Chur", nights: 1)]
        context.insert(trip)
        #expect(context.insertedModelsArray.count == 4)
        #expect(stay.trip === trip)
        #expect(trip.guide?.trips.first === trip)
        #expect(trip.modelContext == context && stay.modelContext == context)
        #expect(trip.name == "Alps" && trip.seats == 4 && !trip.isBooked)
    }

    @Test("Values are read and set by key paths, also where the class is generic")
    func keyPaths() {
        func raise<Model: PersistentModel>(_ model: Model, _ keyPath: KeyPath<Model, Int>) {
            model.setValue(forKey: keyPath, to: model.getValue(forKey: keyPath) + 1)
        }
        let trip = Trip(code: "A", name: "Alps")
        raise(trip, \.seats)
        #expect(trip.seats == 5)
        trip.setValue(forKey: \.guide, to: Guide(name: "Ada"))
        #expect(trip.getValue(forKey: \.guide)?.name == "Ada")
    }

    @Test("A chain of any length is inserted, and rows are made in the order of its links")
    func longChain() throws {
        let container = try memoryContainer(Link.self)
        let context = ModelContext(container)
        var first = Link(0)
        for number in 1..<20_000 { first = Link(number, next: first) }
        context.insert(first)
        try context.save()
        let found = try ModelContext(container).fetch(
            FetchDescriptor<Link>(sortBy: [SortDescriptor(\.number, order: .reverse)]))
        #expect(found.count == 20_000 && found[0].next === found[1])
        #expect(found.map(\.persistentModelID) == found.map(\.persistentModelID).sorted())
    }

    @Test("Adding a model to a relationship of an inserted one inserts it")
    func implicitInsertion() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        let trip = Trip(code: "A", name: "Alps")
        context.insert(trip)
        let stay = Stay("Bern", nights: 2)
        trip.stays.append(stay)
        #expect(stay.modelContext == context)
        #expect(stay.town == "Bern" && stay.trip === trip)
    }

    @Test("Values of every type survive a save, and are read by another container")
    func types() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let all = Everything()
        (all.int, all.int8, all.int16, all.int32, all.int64) = (.min, .min, .min, .min, .min)
        (all.uint, all.uint8, all.uint16, all.uint32, all.uint64) = (.max, .max, .max, .max, .max)
        (all.bool, all.double, all.float, all.decimal) = (true, 0.1, 0.1, Decimal(string: "1.23")!)
        (all.string, all.data, all.date) = ("ä", Data([1, 2]), Date(timeIntervalSinceReferenceDate: 1.5))
        let (uuid, url) = (UUID(), URL(string: "https://swift.org/a?b")!)
        (all.uuid, all.url) = (uuid, url)
        (all.maybeInt, all.maybeString, all.maybeURL) = (7, "x", url)
        let context = ModelContext(try store.container(Everything.self))
        context.insert(all)
        try context.save()
        let read = try #require(
            try ModelContext(try store.container(Everything.self)).fetch(FetchDescriptor<Everything>()).first)
        #expect(read.int == .min && read.int8 == .min && read.int16 == .min)
        #expect(read.int32 == .min && read.int64 == .min)
        #expect(read.uint == .max && read.uint8 == .max && read.uint16 == .max)
        #expect(read.uint32 == .max && read.uint64 == .max)
        #expect(
            read.bool && read.double == 0.1 && read.float == 0.1 && read.decimal == Decimal(string: "1.23"))
        #expect(read.string == "ä" && read.data == Data([1, 2]))
        #expect(
            read.date == Date(timeIntervalSinceReferenceDate: 1.5) && read.uuid == uuid && read.url == url)
        #expect(read.maybeInt == 7 && read.maybeString == "x" && read.maybeURL == url)
        #expect(read.maybeDate == nil && read.maybeData == nil)
    }

    @Test("A context has one object for a row, whose transient values live as long as its changes")
    func identity() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        context.insert(Trip(code: "A", name: "Alps"))
        try context.save()
        let first = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
        #expect(try context.fetch(FetchDescriptor<Trip>()).first === first)
        weak var dropped: Trip?
        do {
            let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
            (trip.opened, trip.seats) = (3, 9)
            dropped = trip
        }
        #expect(dropped?.opened == 3)
        #expect(first.hasChanges && context.changedModelsArray.first === first)
    }

    @Test("A model that only the context holds for its changes is freed after the save")
    func release() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        weak var dropped: Trip?
        do {
            let trip = Trip(code: "A", name: "Alps")
            trip.opened = 1
            context.insert(trip)
            dropped = trip
        }
        #expect(dropped?.opened == 1)
        try context.save()
        #expect(dropped == nil)
    }

    @Test("A model without a strong reference is freed, and its managed object makes another one when asked")
    func madeAnew() throws {
        let context = ModelContext(try memoryContainer(Trip.self))
        context.insert(Trip(code: "A", name: "Alps"))
        try context.save()
        let object = try #require(try context.fetch(FetchDescriptor<Trip>()).first?.managedObject)
        for number in 1...100 {
            weak var dropped: Trip?
            do {
                let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
                #expect(trip.opened == 0 && trip.name == "Alps" && object.persistentModel === trip)
                trip.opened = number
                dropped = trip
            }
            #expect(dropped == nil)
        }
    }

    @Test("A model whose declarations make others is fetched with its own values, and they have theirs")
    func modelsInDeclarations() throws {
        let context = ModelContext(try memoryContainer(Folder.self, Sheet.self))
        context.insert(Sheet("A", pages: 7))
        try context.save()
        let sheet = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Sheet>()).first)
        #expect(sheet.name == "A" && sheet.pages == 7 && sheet.tags == ["new"] && sheet.draft.name == "draft")
        #expect(sheet.cover?.name == nil && sheet.draft.modelContext == nil && sheet.draft.tags == ["new"])
        sheet.draft.name = "B"
        #expect(sheet.name == "A" && !sheet.hasChanges)
    }

    @Test("Stored properties are described to the schema with their names before")
    func metadata() throws {
        let entity = try #require(Schema(Trip.self).entity(for: Trip.self))
        #expect(
            entity.properties.map(\.name)
                == ["code", "name", "start", "seats", "rating", "isBooked", "stays", "guide"])
        #expect(entity.attributesByName["name"]?.originalName == "title")
        #expect(entity.attributesByName["seats"]?.defaultValue as? Int == 4)
        #expect(entity.uniquenessConstraints == [["code"]])
        #expect(entity.indices == [["name"], ["start", "name"]])
        #expect(entity.relationshipsByName["stays"]?.inverseName == "trip")
        #expect(entity.relationshipsByName["stays"]?.deleteRule == .cascade)
        #expect(entity.relationshipsByName["guide"]?.inverseName == "trips")
    }
}

@Model
private final class Link {
    var number: Int
    var next: Link?

    init(_ number: Int, next: Link? = nil) {
        self.number = number
        self.next = next
    }
}

@Model
class Folder {
    var name: String
    var tags = ["new"]

    init(_ name: String) { self.name = name }
}

/// A model whose declarations make others.
@Model
final class Sheet: Folder {
    @Transient var draft = Folder("draft")
    var cover: Folder? = Folder("cover")
    var pages: Int

    init(_ name: String, pages: Int) {
        self.pages = pages
        super.init(name)
        cover = nil
    }
}
#endif
