import CoreData
import Foundation

/// The entity of the benchmarks, with ten attributes and with accessors as the code generator writes them.
final class Item: NSManagedObject {
    private static let rankProperty = ManagedProperty("rank")
    private static let quantityProperty = ManagedProperty("quantity")
    private static let serialProperty = ManagedProperty("serial")
    private static let ratioProperty = ManagedProperty("ratio")
    private static let weightProperty = ManagedProperty("weight")
    private static let createdProperty = ManagedProperty("created")
    private static let isActiveProperty = ManagedProperty("isActive")
    private static let codeProperty = ManagedProperty("code")
    private static let cityProperty = ManagedProperty("city")
    private static let noteProperty = ManagedProperty("note")

    var rank: Int16 {
        get { ManagedAccess.read(self, Self.rankProperty) }
        set { ManagedAccess.write(self, Self.rankProperty, newValue) }
    }
    var quantity: Int32 {
        get { ManagedAccess.read(self, Self.quantityProperty) }
        set { ManagedAccess.write(self, Self.quantityProperty, newValue) }
    }
    var serial: Int64 {
        get { ManagedAccess.read(self, Self.serialProperty) }
        set { ManagedAccess.write(self, Self.serialProperty, newValue) }
    }
    var ratio: Double {
        get { ManagedAccess.read(self, Self.ratioProperty) }
        set { ManagedAccess.write(self, Self.ratioProperty, newValue) }
    }
    var weight: Double {
        get { ManagedAccess.read(self, Self.weightProperty) }
        set { ManagedAccess.write(self, Self.weightProperty, newValue) }
    }
    var created: Date? {
        get { ManagedAccess.read(self, Self.createdProperty) }
        set { ManagedAccess.write(self, Self.createdProperty, newValue) }
    }
    var isActive: Bool {
        get { ManagedAccess.read(self, Self.isActiveProperty) }
        set { ManagedAccess.write(self, Self.isActiveProperty, newValue) }
    }
    var code: String? {
        get { ManagedAccess.read(self, Self.codeProperty) }
        set { ManagedAccess.write(self, Self.codeProperty, newValue) }
    }
    var city: String? {
        get { ManagedAccess.read(self, Self.cityProperty) }
        set { ManagedAccess.write(self, Self.cityProperty, newValue) }
    }
    var note: String? {
        get { ManagedAccess.read(self, Self.noteProperty) }
        set { ManagedAccess.write(self, Self.noteProperty, newValue) }
    }

    func fill(from sample: Sample) {
        rank = sample.rank
        quantity = sample.quantity
        serial = sample.serial
        ratio = sample.ratio
        weight = sample.weight
        created = sample.created
        isActive = sample.isActive
        code = sample.code
        city = sample.city
        note = sample.note
    }

    /// A sum over all properties.
    var checksum: Int {
        var sum = Int(rank) &+ Int(quantity) &+ Int(serial) &+ Int(ratio) &+ Int(weight)
        sum &+= Int(created?.timeIntervalSinceReferenceDate ?? 0) &+ (isActive ? 1 : 0)
        return sum &+ (code?.utf8.count ?? 0) &+ (city?.utf8.count ?? 0) &+ (note?.utf8.count ?? 0)
    }

    /// Inserts an item for each number with one batch request.
    static func insertBatch(
        _ numbers: Range<Int>, in context: NSManagedObjectContext, _ fill: @escaping (Item, Int) -> Void
    ) throws {
        var rest = numbers
        try context.execute(
            NSBatchInsertRequest(entityName: "Item") { (object: NSManagedObject) in
                guard let number = rest.popFirst(), let item = object as? Item else { return true }
                fill(item, number)
                return false
            })
    }

    static func makeModel() -> NSManagedObjectModel {
        let attributes: [(String, NSAttributeType)] = [
            ("rank", .integer16AttributeType), ("quantity", .integer32AttributeType),
            ("serial", .integer64AttributeType), ("ratio", .doubleAttributeType),
            ("weight", .doubleAttributeType), ("created", .dateAttributeType),
            ("isActive", .booleanAttributeType), ("code", .stringAttributeType),
            ("city", .stringAttributeType), ("note", .stringAttributeType),
        ]
        let entity = NSEntityDescription()
        entity.name = "Item"
        entity.managedObjectClassName = NSStringFromClass(Item.self)
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }
}
