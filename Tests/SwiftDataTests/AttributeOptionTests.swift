#if SwiftData
import CoreData
import CoreDataSQL
import CoreDataSQLite
import SwiftData
import Testing

/// A class that is not Codable, as views' colors are.
private final class Ink: NSObject {
    let name: String
    init(_ name: String) { self.name = name }
}

private final class InkTransformer: ValueTransformer {
    static let register: Void = setValueTransformer(
        InkTransformer(), forName: NSValueTransformerName("InkTransformer"))
    override func transformedValue(_ value: Any?) -> Any? { (value as? Ink).map { Data($0.name.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { Ink(String(decoding: $0, as: UTF8.self)) }
    }
}

@Model
private final class Pen {
    var name: String
    @Attribute(.transformable(by: InkTransformer.self)) var ink: Ink
    @Attribute(.transformable(by: "InkTransformer")) var spare: Ink?
    @Attribute(.ephemeral) var isOpen = false

    init(name: String, ink: Ink) {
        self.name = name
        self.ink = ink
    }
}

@Model
private final class Lamp {
    @Attribute(.transformable(by: "NoTransformer")) var bulb: Ink?
    init() {}
}

@Model
private final class Place {
    #Index<Place>(.binary([\.name]), .rtree([\.latitude, \.longitude]))
    var name = ""
    var latitude = 0.0
    var longitude = 0.0
    init() {}
}

@Suite("Options of attributes and indexes")
struct AttributeOptionTests {
    @Test("Values of any type are kept as the data that a transformer makes of them")
    func transformable() throws {
        InkTransformer.register
        let store = try ScratchStore()
        defer { store.remove() }
        let context = ModelContext(try store.container(Pen.self))
        let pen = Pen(name: "P", ink: Ink("blue"))
        #expect(pen.ink.name == "blue" && pen.spare == nil)
        context.insert(pen)
        #expect(pen.ink.name == "blue")
        try context.save()
        let other = ModelContext(try store.container(Pen.self))
        let read = try #require(try other.fetch(FetchDescriptor<Pen>()).first)
        #expect(read.ink.name == "blue" && read.spare == nil)
        read.spare = Ink("red")
        try other.save()
        let again = try ModelContext(try store.container(Pen.self)).fetch(FetchDescriptor<Pen>())
        #expect(again[0].spare?.name == "red")
        again[0].setTransformableValue(forKey: \.ink, to: Ink("green"))
        #expect(again[0].getTransformableValue(forKey: \.ink).name == "green")
    }

    @Test("A transformer that is not registered is an error that names the property")
    func missingTransformer() {
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try memoryContainer(Lamp.self) }
        #expect(
            error.map { "\($0)" }?.contains(
                "Lamp.bulb is transformable by NoTransformer, which is not registered") == true)
    }

    @Test("An ephemeral value is not stored, and survives the insertion and the save")
    func ephemeral() throws {
        InkTransformer.register
        let context = ModelContext(try memoryContainer(Pen.self))
        let pen = Pen(name: "P", ink: Ink("blue"))
        pen.isOpen = true
        context.insert(pen)
        #expect(pen.isOpen)
        try context.save()
        #expect(pen.isOpen)
        let read = try #require(try ModelContext(context.container).fetch(FetchDescriptor<Pen>()).first)
        #expect(!read.isOpen)
    }

    @Test("Indexes of both types are made")
    func indexes() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let context = ModelContext(try store.container(Place.self))
        let place = Place()
        (place.latitude, place.longitude) = (46.9, 7.4)
        context.insert(place)
        try context.save()
        let near = FetchDescriptor<Place>(
            predicate: #Predicate { $0.latitude > 46 && $0.latitude < 47 && $0.longitude > 7 })
        #expect(try context.fetchCount(near) == 1)
        #expect(Schema(Place.self).entities[0].indices == [["name"], ["latitude", "longitude"]])
        let connection = try SQLiteConnection(path: store.url.path, access: .readOnly)
        defer { connection.close() }
        let binary = try connection.count(
            "SELECT count(*) FROM sqlite_master WHERE name = 'Z_Place_SwiftDataIndexOnBinaryname'")
        let spatial = try connection.count(
            "SELECT count(*) FROM sqlite_master WHERE sql LIKE '%USING rtree%'")
        #expect(binary == 1 && spatial == 1)
    }

    @Test("A struct is described to the schema with its elements and their types")
    func composite() throws {
        let entity = try #require(Schema(Parcel.self).entity(for: Parcel.self))
        let sender = try #require(entity.attributesByName["sender"] as? Schema.CompositeAttribute)
        #expect(sender.properties.map(\.name) == ["town", "code", "place", "kind", "lines", "street"])
        #expect("\(sender.properties[1])" == "code: Optional<Int>")
        #expect("\(sender.properties[4])" == "lines: Array<String>")
        let place = try #require(sender.properties[2] as? Schema.CompositeAttribute)
        #expect(place.properties.map(\.description) == ["x: Double", "y: Double"])
        #expect(!(entity.attributesByName["customs"] is Schema.CompositeAttribute))
    }

    @Test("A model of classes for Core Data is merged with another one")
    func mergedModel() throws {
        let other = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Log"
        other.entities = [entity]
        let merged = try #require(
            NSManagedObjectModel.makeManagedObjectModel(for: [Place.self], mergedWith: [other]))
        #expect(merged.entities.compactMap(\.name).sorted() == ["Log", "Place"])
        #expect(merged.entitiesByName["Place"]?.managedObjectClassName == "Place")
        #expect(NSManagedObjectModel.makeManagedObjectModel(for: [Place.self])?.entities.count == 1)
    }
}
#endif
