import Foundation
import FoundationXML
import Testing

@testable import CoreData

/// The content of an XML store, read without the framework.
final class XMLStoreContent: NSObject, XMLParserDelegate {
    struct Object: Equatable {
        var type: String
        /// Type and text.
        var attributes: [String: [String]] = [:]
        var relationships: [String: Set<String>] = [:]
        /// Declared counts and destination.
        var declarations: [String: [String]] = [:]
    }

    private(set) var objects: [String: Object] = [:]
    private var id: String?
    private var attribute: (name: String, type: String, text: String)?

    init(_ url: URL) throws {
        super.init()
        let parser = XMLParser(data: try Data(contentsOf: url))
        parser.delegate = self
        try #require(parser.parse())
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "object":
            id = attributes["id"]
            objects[id!] = Object(type: attributes["type"]!)
        case "attribute": attribute = (attributes["name"]!.lowercased(), attributes["type"]!, "")
        case "relationship":
            let name = attributes["name"]!
            objects[id!]?.relationships[name] =
                Set((attributes["idrefs"] ?? "").split(separator: " ").map(String.init))
            objects[id!]?.declarations[name] = [attributes["type"]!, attributes["destination"]!]
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { attribute?.text += text }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard name == "attribute", let value = attribute else { return }
        attribute = nil
        let text =
            switch value.type {
            case "float", "double", "date": Double(value.text).map { "\($0)" } ?? value.text
            case "binary": value.text.filter { !$0.isWhitespace }
            default: value.text
            }
        objects[id!]?.attributes[value.name] = [value.type, text]
    }

    // MARK: Model

    private static let types: [String: NSAttributeType] = [
        "int16": .integer16AttributeType, "int32": .integer32AttributeType, "int64": .integer64AttributeType,
        "bool": .booleanAttributeType, "string": .stringAttributeType, "float": .floatAttributeType,
        "double": .doubleAttributeType, "date": .dateAttributeType, "binary": .binaryDataAttributeType,
    ]

    /// A model that the objects are of.
    func model() -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        let destinations = objects.values.flatMap { $0.declarations.values.map { $0[1] } }
        for name in Set(objects.values.map(\.type) + destinations) {
            entities[name] = ModelFixtures.entity(name)
        }
        for (name, entity) in entities {
            let all = objects.values.filter { $0.type == name }
            let attributes = all.reduce(into: [:]) { $0.merge($1.attributes) { $1 } }
            entity.properties = attributes.map { ModelFixtures.attribute($0, Self.types[$1[0]]!) }
            let links = all.reduce(into: [:]) { $0.merge($1.declarations) { $1 } }
            for (link, declaration) in links {
                let counts = declaration[0].split(separator: "/").compactMap { Int($0) }
                let relationship = NSRelationshipDescription()
                relationship.name = link
                relationship.destinationEntity = entities[declaration[1]]
                (relationship.minCount, relationship.maxCount) = (counts[0], counts[1])
                entity.properties.append(relationship)
            }
        }
        let model = NSManagedObjectModel()
        model.entities = Array(entities.values)
        return model
    }
}
