internal import CoreData
internal import Foundation

/// The model of a ledger's file: an entity a table, each with a key and bytes, and where rows are found by something
/// else, too, a second key that several may have.
enum LedgerModel {
    static let key = "key"
    static let bytes = "bytes"
    static let secondKey = "secondKey"

    static func make() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = LedgerTable.allCases.map { entity($0, hasSecondKey: $0.hasSecondKey) }
        return model
    }

    /// Returns the versions of the model, for files that are read and not changed.
    static func makeAll() -> [NSManagedObjectModel] {
        let (first, second) = (NSManagedObjectModel(), NSManagedObjectModel())
        first.entities = LedgerTable.allCases.filter { $0 != .link }.map { entity($0, hasSecondKey: false) }
        second.entities = LedgerTable.allCases.map {
            entity($0, hasSecondKey: $0.hasSecondKey && $0 != .outgoing)
        }
        return [first, second, make()]
    }

    private static func entity(_ table: LedgerTable, hasSecondKey: Bool) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = table.rawValue
        entity.managedObjectClassName = "NSManagedObject"
        let properties = ([key, bytes] + (hasSecondKey ? [secondKey] : [])).map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .binaryDataAttributeType
            attribute.isOptional = name == secondKey
            return attribute
        }
        entity.properties = properties
        entity.indexes = [index("byKey", properties[0])]
        if hasSecondKey { entity.indexes.append(index("bySecondKey", properties[2])) }
        return entity
    }

    private static func index(_ name: String, _ property: NSPropertyDescription) -> NSFetchIndexDescription {
        let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
        return NSFetchIndexDescription(name: name, elements: [element])
    }
}
