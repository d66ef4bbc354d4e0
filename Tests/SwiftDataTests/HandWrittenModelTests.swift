#if SwiftData
import CoreData
import SwiftData
import Testing

/// Models that conform as Apple's reference says, without `@Model`.
@Suite("Models that conform by hand")
struct HandWrittenModelTests {
    private func sample() -> Crate {
        let crate = Crate(name: "tools", state: .packed)
        crate.size = Crate.Size(width: 2, height: 3)
        crate.labels = ["heavy", "fragile"]
        crate.items = [Tool(name: "saw"), Tool(name: "file")]
        crate.bay = Bay(number: 7)
        return crate
    }

    @Test("A model is read and written before it is inserted, and begins with the declared values")
    func begun() {
        let crate = Crate(name: "tools", state: .open)
        #expect(crate.name == "tools" && crate.count == 1 && crate.weight == nil && crate.labels.isEmpty)
        #expect(crate.state == .open && crate.items.isEmpty && crate.bay == nil && crate.modelContext == nil)
        (crate.count, crate.weight, crate.bay) = (3, 1.5, Bay(number: 1))
        #expect(crate.count == 3 && crate.weight == 1.5 && crate.bay?.number == 1)
        crate.weight = nil
        #expect(crate.weight == nil)
    }

    @Test("A model is saved, fetched by predicate and order, changed, and deleted by its rules")
    func life() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        do {
            let context = ModelContext(try store.container(Crate.self))
            let crate = sample()
            context.insert(crate)
            context.insert(Crate(name: "books", state: .open))
            try context.save()
            #expect(crate.persistentModelID.storeIdentifier != nil)
            #expect(crate.bay?.crates.map(\.name) == ["tools"])
        }
        let context = ModelContext(try store.container(Crate.self))
        let packed = Crate.State.packed
        let found = try context.fetch(
            FetchDescriptor<Crate>(
                predicate: #Predicate {
                    $0.state == packed && $0.items.contains { $0.name == "saw" }
                },
                sortBy: [SortDescriptor(\.name)]))
        let crate = try #require(found.first)
        #expect(found.count == 1 && crate.size == Crate.Size(width: 2, height: 3))
        #expect(crate.labels == ["heavy", "fragile"] && crate.items.map(\.name) == ["saw", "file"])
        #expect(try context.fetch(FetchDescriptor<Crate>())[0] === crate && crate.bay?.number == 7)
        crate.count = 9
        #expect(crate.hasChanges && context.changedModelsArray.count == 1)
        try context.save()
        let other = ModelContext(context.container)
        let all = try other.fetch(FetchDescriptor<Crate>(sortBy: [SortDescriptor(\.name, order: .reverse)]))
        #expect(all.map(\.name) == ["tools", "books"] && all[0].count == 9)
        other.delete(all[0])
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<Tool>()) == 0)
        #expect(all[0].isDeleted && all[0].name == "tools" && all[0].count == 9)
    }

    @Test("An inserted model with a unique value that a row has takes the place of that row's values")
    func unique() throws {
        let context = ModelContext(try memoryContainer(Crate.self))
        for count in 1...2 {
            let crate = Crate(name: "tools", state: .open)
            crate.count = count
            context.insert(crate)
            try context.save()
        }
        #expect(try context.fetch(FetchDescriptor<Crate>()).map(\.count) == [2])
    }

    @Test("A store is the same as one of the same classes with @Model")
    func schema() throws {
        func hashes(_ type: any PersistentModel.Type) throws -> [String: Data] {
            try NSManagedObjectModel.makeManagedObjectModel(for: Schema(type)).entityVersionHashesByName
        }
        let byHand = try hashes(Crate.self)
        #expect(try hashes(Boxes.Crate.self) == byHand && byHand.keys.sorted() == ["Bay", "Crate", "Tool"])
    }

    @Test("A class with @Model has backing data, too, of which a model with the declared values is made")
    func backing() throws {
        let trip = Trip(backingData: Trip.createBackingData())
        #expect(trip.seats == 4 && trip.persistentBackingData.getValue(forKey: \.seats) == 4)
        trip.persistentBackingData.setValue(forKey: \.seats, to: 6)
        (trip.code, trip.name) = ("A", "Alps")
        let context = ModelContext(try memoryContainer(Trip.self))
        context.insert(trip)
        try context.save()
        #expect(trip.seats == 6 && trip.persistentBackingData.persistentModelID == trip.persistentModelID)
        #expect(try ModelContext(context.container).fetch(FetchDescriptor<Trip>()).map(\.seats) == [6])
        let truck = Truck(backingData: Truck.createBackingData())
        #expect(truck.wheels == 4 && truck.axles == [2, 3])
    }

    @Test("The type of a to-many relationship tells the class of its members")
    func members() {
        func member<Members: RelationshipCollection>(_ keyPath: KeyPath<Trip, Members>) -> String {
            Schema.entityName(for: Members.PersistentElement.self)
        }
        #expect(member(\.stays) == "Stay")
    }

    @Test("A subclass of a class that conforms by hand is an error of the container that names both")
    func subclass() throws {
        let error = #expect(throws: SwiftDataError.self) { try memoryContainer(Barrel.self) }
        #expect(error.map { "\($0)".contains("Barrel is a subclass of Cask") } == true)
    }

    @Test("A key path that schemaMetadata lacks is a trap that says what to add")
    func unknownKeyPath() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Bay(number: 1).getValue(forKey: \.hidden)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Bay does not say what") && text.contains("schemaMetadata"))
    }
}

final class Crate: PersistentModel {
    struct Size: Codable, Equatable {
        var width: Int
        var height: Int
    }

    enum State: String, Codable { case open, packed }

    var persistentBackingData: any BackingData<Crate> = Crate.createBackingData()

    init(backingData: any BackingData<Crate>) { persistentBackingData = backingData }

    init(name: String, state: State) {
        self.name = name
        self.state = state
    }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            Schema.PropertyMetadata(name: "name", keypath: \Crate.name, metadata: Schema.Attribute(.unique)),
            Schema.PropertyMetadata(name: "count", keypath: \Crate.count, defaultValue: 1),
            Schema.PropertyMetadata(name: "weight", keypath: \Crate.weight),
            Schema.PropertyMetadata(name: "state", keypath: \Crate.state),
            Schema.PropertyMetadata(name: "size", keypath: \Crate.size),
            Schema.PropertyMetadata(name: "labels", keypath: \Crate.labels, defaultValue: [String]()),
            Schema.PropertyMetadata(
                name: "items", keypath: \Crate.items,
                metadata: Schema.Relationship(deleteRule: .cascade, inverse: \Tool.crate)),
            Schema.PropertyMetadata(name: "bay", keypath: \Crate.bay),
        ]
    }

    var name: String {
        get { getValue(forKey: \.name) }
        set { setValue(forKey: \.name, to: newValue) }
    }
    var count: Int {
        get { getValue(forKey: \.count) }
        set { setValue(forKey: \.count, to: newValue) }
    }
    var weight: Double? {
        get { getValue(forKey: \.weight) }
        set { setValue(forKey: \.weight, to: newValue) }
    }
    var state: State {
        get { getValue(forKey: \.state) }
        set { setValue(forKey: \.state, to: newValue) }
    }
    var size: Size? {
        get { getValue(forKey: \.size) }
        set { setValue(forKey: \.size, to: newValue) }
    }
    var labels: [String] {
        get { getValue(forKey: \.labels) }
        set { setValue(forKey: \.labels, to: newValue) }
    }
    var items: [Tool] {
        get { getValue(forKey: \.items) }
        set { setValue(forKey: \.items, to: newValue) }
    }
    var bay: Bay? {
        get { getValue(forKey: \.bay) }
        set { setValue(forKey: \.bay, to: newValue) }
    }
}

final class Bay: PersistentModel {
    var persistentBackingData: any BackingData<Bay> = Bay.createBackingData()

    init(backingData: any BackingData<Bay>) { persistentBackingData = backingData }

    init(number: Int) { self.number = number }

    static var schemaMetadata: [Schema.PropertyMetadata] {
        [
            Schema.PropertyMetadata(name: "number", keypath: \Bay.number),
            Schema.PropertyMetadata(name: "crates", keypath: \Bay.crates),
        ]
    }

    var number: Int {
        get { getValue(forKey: \.number) }
        set { setValue(forKey: \.number, to: newValue) }
    }
    var crates: [Crate] {
        get { getValue(forKey: \.crates) }
        set { setValue(forKey: \.crates, to: newValue) }
    }
    var hidden: Int { 0 }
}

@Model
final class Tool {
    var name: String
    var crate: Crate?

    init(name: String) { self.name = name }
}

/// The same models, by the macro.
enum Boxes {
    @Model
    final class Crate {
        @Attribute(.unique) var name: String
        var count = 1
        var weight: Double?
        var state: SwiftDataTests.Crate.State
        var size: SwiftDataTests.Crate.Size?
        var labels: [String] = []
        @Relationship(deleteRule: .cascade, inverse: \Tool.crate) var items: [Tool] = []
        var bay: Bay?

        init(name: String, state: SwiftDataTests.Crate.State) {
            self.name = name
            self.state = state
        }
    }

    @Model
    final class Tool {
        var name: String
        var crate: Crate?

        init(name: String) { self.name = name }
    }

    @Model
    final class Bay {
        var number: Int
        var crates: [Crate] = []

        init(number: Int) { self.number = number }
    }
}

class Cask: PersistentModel {
    var persistentBackingData: any BackingData<Cask>

    required init(backingData: any BackingData<Cask>) { persistentBackingData = backingData }

    class var schemaMetadata: [Schema.PropertyMetadata] {
        [Schema.PropertyMetadata(name: "width", keypath: \Cask.width)]
    }

    var width: Int {
        get { getValue(forKey: \.width) }
        set { setValue(forKey: \.width, to: newValue) }
    }
}

final class Barrel: Cask {
    override class var schemaMetadata: [Schema.PropertyMetadata] { [] }
}
#endif
