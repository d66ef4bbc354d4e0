#if SwiftData
import CoreData
import SwiftData
import Testing

@Suite("Codable values")
struct CodableValueTests {
    private let full = Address(
        town: "Bern", code: 3000, place: Address.Point(x: 1.5, y: -2), kind: .large, lines: ["a", "b"],
        street: "Hill")

    private func attributes() throws -> [String: NSAttributeDescription] {
        let model = try NSManagedObjectModel.makeManagedObjectModel(for: Schema(Parcel.self))
        return try #require(model.entitiesByName["Parcel"]).attributesByName
    }

    @Test("Values of all kinds survive a save, and are read by another container")
    func roundTrip() throws {
        let store = try ScratchStore()
        defer { store.remove() }
        let parcel = Parcel("1", sender: full)
        (parcel.status, parcel.size) = (.sent, .large)
        (parcel.route, parcel.label) = (.over("Chur", days: 3), Tag(rawValue: "blue"))
        (parcel.notes, parcel.stops, parcel.prices) = (
            ["x", "ä"], [3, 1, 2], ["CHF": 1.25, "EUR": .infinity]
        )
        (parcel.customs, parcel.weight) = (full, Grams(12.5))
        let context = ModelContext(try store.container(Parcel.self))
        context.insert(parcel)
        try context.save()
        let read = try #require(
            try ModelContext(try store.container(Parcel.self)).fetch(FetchDescriptor<Parcel>()).first)
        #expect(read.status == .sent && read.size == .large)
        #expect(read.route == .over("Chur", days: 3) && read.label == Tag(rawValue: "blue"))
        #expect(read.sender == full && read.recipient == nil && read.customs == full)
        #expect(read.notes == ["x", "ä"] && read.stops == [1, 2, 3])
        #expect(read.prices == ["CHF": 1.25, "EUR": .infinity])
        #expect(read.weight == Grams(12.5))
    }

    @Test("Values are read and changed before a model is in a context, and after")
    func changes() throws {
        let parcel = Parcel("1", sender: full)
        #expect(parcel.status == .packed && parcel.route == .direct && parcel.notes == [])
        parcel.sender.town = "Basel"
        parcel.notes.append("x")
        let context = ModelContext(try memoryContainer(Parcel.self))
        context.insert(parcel)
        #expect(parcel.sender.town == "Basel" && parcel.sender.code == 3000 && parcel.notes == ["x"])
        try context.save()
        parcel.recipient = Address(town: "Thun")
        parcel.sender.place.x = 7
        #expect(parcel.hasChanges && parcel.recipient?.town == "Thun" && parcel.recipient?.code == nil)
        #expect(parcel.sender.place == Address.Point(x: 7, y: -2))
        context.rollback()
        #expect(parcel.recipient == nil && parcel.sender == full.at("Basel"))
    }

    @Test("A struct that was read before is read as its row has it, however that changed")
    func readAgain() throws {
        let container = try memoryContainer(Parcel.self)
        let context = ModelContext(container)
        let parcel = Parcel("1", sender: full)
        context.insert(parcel)
        try context.save()
        #expect(parcel.sender == full && parcel.sender == full)
        parcel.sender.town = "Basel"
        #expect(parcel.sender == full.at("Basel"))
        context.rollback()
        #expect(parcel.sender == full)
        let object = try #require(parcel.managedObject)
        var elements = try #require(object.value(forKey: "sender") as? [String: Any])
        elements["town"] = "Thun"
        object.setValue(elements, forKey: "sender")
        #expect(parcel.sender == full.at("Thun"))
        context.rollback()
        let other = ModelContext(container)
        let same = try #require(try other.fetch(FetchDescriptor<Parcel>()).first)
        same.sender.town = "Chur"
        try other.save()
        context.processPendingChanges()
        #expect(parcel.sender == full.at("Chur") && parcel.recipient == nil)
        context.delete(parcel)
        try context.save()
        #expect(parcel.sender == full.at("Chur"))
    }

    @Test("A struct without a value in any element is read as it is, and as nil where nil may be")
    func emptyStructs() throws {
        let context = ModelContext(try memoryContainer(Parcel.self))
        let parcel = Parcel("1", sender: full)
        context.insert(parcel)
        parcel.answer = Remark()
        #expect(parcel.remark == Remark() && parcel.answer == nil)
        parcel.remark.text = "x"
        parcel.answer = Remark(text: "y")
        #expect(parcel.remark.text == "x" && parcel.answer?.text == "y")
        parcel.answer = nil
        #expect(parcel.answer == nil)
    }

    @Test("Enumerations are stored as raw values, or as the names of their cases")
    func enumerations() throws {
        let attributes = try attributes()
        #expect(attributes["status"]?.attributeType == .stringAttributeType)
        #expect(attributes["status"]?.defaultValue as? String == "packed")
        #expect(attributes["size"]?.attributeType == .stringAttributeType)
        #expect(attributes["size"]?.defaultValue as? String == "small")
        #expect(attributes["label"]?.defaultValue as? String == "none")
        #expect(attributes["weight"]?.attributeType == .doubleAttributeType)
    }

    @Test("A struct is a composite with an element for each property, named after the property")
    func composites() throws {
        let sender = try #require(try attributes()["sender"] as? NSCompositeAttributeDescription)
        #expect(sender.elements.map(\.name) == ["town", "code", "place", "kind", "lines", "street"])
        let types: [NSAttributeType] = [
            .stringAttributeType, .integer64AttributeType, .compositeAttributeType, .stringAttributeType,
            .binaryDataAttributeType, .stringAttributeType,
        ]
        #expect(sender.elements.map(\.attributeType) == types)
        #expect(sender.elements.map(\.isOptional) == [false, true, false, false, false, false])
        #expect(try attributes()["recipient"]?.isOptional == true)
    }

    @Test("Collections, enumerations with associated values and codable ones are kept as a whole")
    func wholes() throws {
        let attributes = try attributes()
        #expect(attributes["notes"]?.attributeType == .transformableAttributeType)
        #expect(attributes["notes"]?.attributeValueClassName == "Array<String>")
        #expect(attributes["stops"]?.attributeType == .transformableAttributeType)
        #expect(attributes["customs"]?.attributeType == .transformableAttributeType)
        #expect(attributes["route"]?.attributeType == .binaryDataAttributeType)
    }

    @Test("Arrays are read from JSON, property lists and archives")
    func encodings() throws {
        let list = PropertyListEncoder()
        list.outputFormat = .binary
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: ["a", "b"]), requiringSecureCoding: true)
        for bytes in [Data(#"["a","b"]"#.utf8), try list.encode(["a", "b"]), archive] {
            let (parcel, _) = try changed { $0.setValue(bytes, forKey: "notes") }
            #expect(parcel.notes == ["a", "b"])
        }
    }

    @Test("A stored value that is none of the type reads as the declared value, or nil, and stays in its row")
    func unreadable() throws {
        let (parcel, context) = try changed {
            $0.setValue("lost", forKey: "status")
            $0.setValue(Data("?".utf8), forKey: "stops")
        }
        #expect(parcel.status == .packed && parcel.stops == nil)
        parcel.number = "2"
        try context.save()
        let lost = FetchDescriptor<Parcel>(
            predicate: #Predicate { $0.number == "2" && $0.status.rawValue == "lost" })
        #expect(try ModelContext(context.container).fetchCount(lost) == 1)
        parcel.status = .arrived
        #expect(parcel.status == .arrived)
    }

    /// Returns a saved parcel whose row was changed by other means, and its context.
    private func changed(_ change: (NSManagedObject) -> Void) throws -> (Parcel, ModelContext) {
        let container = try memoryContainer(Parcel.self)
        let first = ModelContext(container)
        let parcel = Parcel("1", sender: full)
        first.insert(parcel)
        try first.save()
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = container.coordinator
        let row = context.object(with: parcel.persistentModelID.objectID)
        change(row)
        try context.save()
        let second = ModelContext(container)
        return (try #require(try second.fetch(FetchDescriptor<Parcel>()).first), second)
    }

    @Test("A type that cannot be stored is an error that names entity, property, element and type")
    func refusals() {
        func message(_ type: Any.Type) -> String {
            let schema = Schema(
                Schema.Entity("Thing", properties: Schema.Attribute(name: "part", valueType: type)))
            let error = #expect(throws: SwiftDataError.self) {
                try NSManagedObjectModel.makeManagedObjectModel(for: schema)
            }
            return error.map { "\($0)" } ?? ""
        }
        #expect(message(Paint.self).contains("Thing.part has the type Paint, a class"))
        #expect(message([Paint].self).contains("Thing.part has the type Paint, a class"))
        #expect(message(Optional<Wall>.self).contains("Thing.part.paint has the type Paint, a class"))
    }

    @Test("Types that check or hide what they encode, or contain themselves, are kept as a whole")
    func irregularTypes() throws {
        for type in [Checked.self, Tree.self, Renamed.self, Hidden.self] as [any Codable.Type] {
            let schema = Schema(
                Schema.Entity("Thing", properties: Schema.Attribute(name: "part", valueType: type)))
            let model = try NSManagedObjectModel.makeManagedObjectModel(for: schema)
            #expect(
                model.entities[0].attributesByName["part"]?.attributeType == .binaryDataAttributeType,
                "\(type)")
        }
    }
}

extension Address {
    fileprivate func at(_ town: String) -> Address {
        var result = self
        result.town = town
        return result
    }
}

private final class Paint: Codable {}
private struct Wall: Codable { var paint: Paint }
private struct Tree: Codable { var children: [Tree]; var left: Box? }
private indirect enum Box: Codable { case tree(Tree) }

/// A type that accepts few values.
private struct Checked: Codable {
    var share: Double
    init(from decoder: any Decoder) throws {
        share = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .share)
        guard (0...1).contains(share) else { throw CocoaError(.coderInvalidValue) }
    }
}

/// A type that writes another name than it reads.
private struct Renamed: Codable {
    var name: String
    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(name, forKey: .title)
    }
    enum CodingKeys: CodingKey { case name }
    enum Keys: CodingKey { case title }
}

/// A type that nests what it encodes.
private struct Hidden: Codable {
    var name: String
    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Keys.self)
        name = try outer.nestedContainer(keyedBy: Keys.self, forKey: .outer).decode(
            String.self, forKey: .inner)
    }
    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Keys.self)
        var inner = outer.nestedContainer(keyedBy: Keys.self, forKey: .outer)
        try inner.encode(name, forKey: .inner)
    }
    enum Keys: CodingKey { case outer, inner }
}
#endif
