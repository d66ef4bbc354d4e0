import CoreData
import Foundation

// The model that a sketch describes.
extension ModelSketch {
    private static let types: [String: NSAttributeType] = [
        "int16": .integer16AttributeType, "int32": .integer32AttributeType, "int64": .integer64AttributeType,
        "double": .doubleAttributeType, "float": .floatAttributeType, "decimal": .decimalAttributeType,
        "bool": .booleanAttributeType, "string": .stringAttributeType, "date": .dateAttributeType,
        "data": .binaryDataAttributeType, "external": .binaryDataAttributeType, "uuid": .UUIDAttributeType,
        "uri": .URIAttributeType, "transformable": .transformableAttributeType,
        "external-transformable": .transformableAttributeType,
    ]

    var model: NSManagedObjectModel { model(classes: [:]) }

    /// Returns the model, with the classes of entities by name.
    func model(classes: [String: NSManagedObject.Type]) -> NSManagedObjectModel {
        var byName: [String: NSEntityDescription] = [:]
        for sketch in entities {
            let entity = ModelFixtures.entity(sketch.name, sketch.properties.map(Self.property))
            entity.isAbstract = sketch.isAbstract
            if let type = classes[sketch.name] { entity.managedObjectClassName = NSStringFromClass(type) }
            entity.renamingIdentifier = sketch.formerName
            entity.uniquenessConstraints = sketch.constraints
            byName[sketch.name] = entity
        }
        for sketch in entities {
            if let parent = sketch.parent { byName[parent]!.subentities.append(byName[sketch.name]!) }
            for property in sketch.properties where property.arrow != nil {
                let relationship = byName[sketch.name]!.relationshipsByName[property.name]!
                relationship.destinationEntity = byName[property.destination]
            }
        }
        for sketch in entities {
            for property in sketch.properties {
                guard let inverse = property.inverse else { continue }
                let relationship = byName[sketch.name]!.relationshipsByName[property.name]!
                relationship.inverseRelationship =
                    byName[property.destination]!.relationshipsByName[inverse]
            }
        }
        for sketch in entities {
            let entity = byName[sketch.name]!
            entity.indexes = sketch.indexes.map { Self.index($0, of: entity) }
        }
        let model = NSManagedObjectModel()
        model.entities = entities.map { byName[$0.name]! }
        for (name, members) in configurations {
            model.setEntities(members.map { byName[$0]! }, forConfigurationName: name)
        }
        return model
    }

    private static func index(_ sketch: Index, of entity: NSEntityDescription) -> NSFetchIndexDescription {
        let elements = sketch.elements.map { sketch in
            let element = NSFetchIndexElementDescription(
                property: entity.propertiesByName[sketch.name]!,
                collationType: sketch.isSpatial ? .rTree : .binary)
            element.isAscending = sketch.isAscending
            return element
        }
        let index = NSFetchIndexDescription(name: sketch.name, elements: elements)
        index.partialIndexPredicate = sketch.condition.map { NSPredicate(format: $0) }
        return index
    }

    private static func property(_ sketch: Property) -> NSPropertyDescription {
        let property: NSPropertyDescription
        if let arrow = sketch.arrow {
            let relationship = NSRelationshipDescription()
            relationship.maxCount = arrow == "->" ? 1 : 0
            relationship.isOrdered = arrow == "->>>"
            relationship.deleteRule = sketch.deleteRule
            property = relationship
        } else {
            property = attribute(sketch)
        }
        property.name = sketch.name
        property.isOptional = sketch.isOptional
        property.isTransient = sketch.traits.contains(.transient)
        property.renamingIdentifier = sketch.formerName
        return property
    }

    private static func attribute(_ sketch: Property) -> NSAttributeDescription {
        if sketch.type == "composite" {
            let composite = NSCompositeAttributeDescription()
            composite.elements = sketch.elements.map { property($0) as! NSAttributeDescription }
            return composite
        }
        let attribute: NSAttributeDescription
        if let derivation = sketch.derivation {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = NSExpression(format: derivation)
            attribute = derived
        } else {
            attribute = NSAttributeDescription()
        }
        attribute.attributeType = types[sketch.type] ?? .undefinedAttributeType
        attribute.allowsExternalBinaryDataStorage = sketch.type.hasPrefix("external")
        attribute.preservesValueInHistoryOnDeletion = sketch.traits.contains(.preserved)
        if sketch.traits.contains(.fullText) { attribute.isFullTextIndexed = true }
        attribute.defaultValue = sketch.value.map { value(of: $0, attribute.attributeType) }
        return attribute
    }

    static func value(of text: String, _ type: NSAttributeType) -> Any {
        switch type {
        case .stringAttributeType: text.replacingOccurrences(of: "\"", with: "")
        case .decimalAttributeType: NSDecimalNumber(string: text)
        case .booleanAttributeType: NSNumber(value: text == "true")
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(text)!)
        case .binaryDataAttributeType: Data(text.utf8)
        case .URIAttributeType: URL(string: text)!
        case .UUIDAttributeType: UUID(uuidString: text)!
        case .transformableAttributeType: [text] as NSArray
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: Double(text)!)
        default: NSNumber(value: Int64(text)!)
        }
    }
}

extension ModelSketch.Property {
    fileprivate var deleteRule: NSDeleteRule {
        if traits.contains(.cascade) { return .cascadeDeleteRule }
        if traits.contains(.deny) { return .denyDeleteRule }
        return traits.contains(.noAction) ? .noActionDeleteRule : .nullifyDeleteRule
    }
}
