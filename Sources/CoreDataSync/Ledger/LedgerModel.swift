internal import CoreData
internal import Foundation

/// The model of a ledger's file: an entity a table, each with a key and bytes.
enum LedgerModel {
    static let key = "key"
    static let bytes = "bytes"

    static func make() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = LedgerTable.allCases.map(entity)
        return model
    }

    private static func entity(_ table: LedgerTable) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = table.rawValue
        entity.managedObjectClassName = "NSManagedObject"
        let properties = [key, bytes].map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .binaryDataAttributeType
            attribute.isOptional = false
            return attribute
        }
        entity.properties = properties
        let element = NSFetchIndexElementDescription(property: properties[0], collationType: .binary)
        entity.indexes = [NSFetchIndexDescription(name: "byKey", elements: [element])]
        return entity
    }
}
