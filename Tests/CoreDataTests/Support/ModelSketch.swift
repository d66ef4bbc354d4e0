import CoreData
import Foundation

/// A model in a few words, one entity or property a line:
///
///     Animal abstract
///       name string! = "none"
///       age int16 was years
///       home -> House.animals
///       friends ->> Animal.friends
///     Dog: Animal
///       tricks ->>> Trick
///
/// `!` stands for mandatory, `= value` for a default, `was name` for a renaming identifier; `->` is to-one, `->>`
/// to-many, `->>>` ordered; `unique a, b` is a constraint.
struct ModelSketch {
    struct Property {
        var name: String
        var type = ""
        var isOptional = true
        var value: String?
        var formerName: String?
        var arrow: String?
        var destination = ""
        var inverse: String?
    }

    struct Entity {
        var name: String
        var parent: String?
        var isAbstract = false
        var formerName: String?
        var properties: [Property] = []
        var constraints: [[String]] = []
    }

    var entities: [Entity] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix(" ") {
                add(words)
            } else {
                var entity = Entity(name: words[0].replacingOccurrences(of: ":", with: ""))
                if words[0].hasSuffix(":") { entity.parent = words[1] }
                entity.isAbstract = words.contains("abstract")
                entity.formerName = words.firstIndex(of: "was").map { words[$0 + 1] }
                entities.append(entity)
            }
        }
    }

    private mutating func add(_ words: [String]) {
        let last = entities.count - 1
        if words[0] == "unique" {
            entities[last].constraints.append(
                words.dropFirst().map { $0.replacingOccurrences(of: ",", with: "") })
            return
        }
        var property = Property(name: words[0])
        var rest = words.dropFirst()
        if words[1].hasPrefix("->") {
            let target = words[2].split(separator: ".").map(String.init)
            (property.arrow, property.destination) = (words[1], target[0])
            property.inverse = target.count > 1 ? target[1] : nil
            if let inverse = property.inverse, inverse.hasSuffix("!") {
                (property.inverse, property.isOptional) = (String(inverse.dropLast()), false)
            }
            rest = rest.dropFirst(2)
        } else {
            property.isOptional = !words[1].hasSuffix("!")
            property.type = words[1].replacingOccurrences(of: "!", with: "")
            rest = rest.dropFirst()
        }
        while let word = rest.popFirst() {
            if word == "=" { property.value = rest.popFirst() }
            if word == "was" { property.formerName = rest.popFirst() }
        }
        entities[last].properties.append(property)
    }

    // MARK: The model

    private static let types: [String: NSAttributeType] = [
        "int16": .integer16AttributeType, "int32": .integer32AttributeType, "int64": .integer64AttributeType,
        "double": .doubleAttributeType, "float": .floatAttributeType, "decimal": .decimalAttributeType,
        "bool": .booleanAttributeType, "string": .stringAttributeType, "date": .dateAttributeType,
        "data": .binaryDataAttributeType, "external": .binaryDataAttributeType, "uuid": .UUIDAttributeType,
        "uri": .URIAttributeType,
    ]

    var model: NSManagedObjectModel {
        var byName: [String: NSEntityDescription] = [:]
        for sketch in entities {
            let entity = ModelFixtures.entity(sketch.name, sketch.properties.map(Self.property))
            entity.isAbstract = sketch.isAbstract
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
        let model = NSManagedObjectModel()
        model.entities = entities.map { byName[$0.name]! }
        return model
    }

    private static func property(_ sketch: Property) -> NSPropertyDescription {
        let property: NSPropertyDescription
        if let arrow = sketch.arrow {
            let relationship = NSRelationshipDescription()
            relationship.maxCount = arrow == "->" ? 1 : 0
            relationship.isOrdered = arrow == "->>>"
            property = relationship
        } else {
            let attribute = NSAttributeDescription()
            attribute.attributeType = types[sketch.type] ?? .undefinedAttributeType
            attribute.allowsExternalBinaryDataStorage = sketch.type == "external"
            attribute.defaultValue = sketch.value.map { value(of: $0, attribute.attributeType) }
            property = attribute
        }
        property.name = sketch.name
        property.isOptional = sketch.isOptional
        property.renamingIdentifier = sketch.formerName
        return property
    }

    static func value(of text: String, _ type: NSAttributeType) -> Any {
        switch type {
        case .stringAttributeType: text.replacingOccurrences(of: "\"", with: "")
        case .decimalAttributeType: NSDecimalNumber(string: text)
        case .booleanAttributeType: NSNumber(value: text == "true")
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(text)!)
        case .binaryDataAttributeType: Data(text.utf8)
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: Double(text)!)
        default: NSNumber(value: Int64(text)!)
        }
    }
}
