import CoreDataPredicates
import CoreDataValues
import Foundation

/// A reader that turns the archive of a compiled model into a document.
///
/// References are resolved by name, so that shared and cyclic references need no special treatment. A part
/// that is not understood is reported and left out (mom §7).
struct ArchivedModelReader {
    private(set) var diagnostics: [Diagnostic] = []

    mutating func model(_ root: ArchivedObject) throws -> ModelDocument {
        guard root.className == "NSManagedObjectModel" else {
            throw ModelFileError("", .malformedArchive("its root is a \(root.className)"))
        }
        var document = ModelDocument(versionIdentifiers: root.strings("NSVersionIdentifiers").sorted())
        for (_, object) in root.namedObjects("NSEntities") {
            document.entities.append(entity(object))
        }
        document.entities = document.entities.sorted(byCodePointsOf: \.name)
        for (name, object) in root.namedObjects("NSFetchRequestTemplates") {
            document.fetchRequests.append(
                fetchRequest(object, named: name, at: ElementPath.fetchRequest(name)))
        }
        document.fetchRequests = document.fetchRequests.sorted(byCodePointsOf: \.name)
        for (name, members) in root.namedObjects("NSConfigurations") {
            let names = members.objects("NS.objects").compactMap { $0.string("NSEntityName") }
            document.configurations.append(ConfigurationElement(name: name, entityNames: names.sorted()))
        }
        document.configurations = document.configurations.sorted(byCodePointsOf: \.name)
        document.composites = composites.values.sorted(byCodePointsOf: \.name)
        return document
    }

    /// The composites read so far, by name. In a compiled model each attribute contains their elements.
    var composites: [String: CompositeElement] = [:]

    // MARK: Entities

    private mutating func entity(_ object: ArchivedObject) -> EntityElement {
        let name = object.string("NSEntityName") ?? ""
        var entity = EntityElement(name: name)
        entity.className = object.string("NSClassNameForEntity")
        let parent = object.object("NSSuperentity")
        entity.parentName = parent?.string("NSEntityName")
        entity.isAbstract = object.flag("NSIsAbstract")
        entity.renamingIdentifier = renamingIdentifier(object, name)
        entity.versionHashModifier = object.string("NSVersionHashModifier")
        entity.userInfo = object.userInfo
        entity.spotlightDisplayNameExpression = object.object("NSCoreSpotlightDisplayNameExpression")
            .flatMap { expressionText($0, at: name) }
        let properties = object.namedObjects("NSProperties")
        let inherited = properties.isEmpty ? [] : Self.propertyNames(parent)
        for (_, property) in properties {
            // In a model cache a subentity repeats its inherited properties, as proxies or as copies.
            guard property.className != "_NSPropertyDescriptionProxy",
                let propertyName = property.string("NSPropertyName"), !inherited.contains(propertyName)
            else { continue }
            add(property, named: propertyName, to: &entity)
        }
        entity.attributes = entity.attributes.sorted(byCodePointsOf: \.name)
        entity.relationships = entity.relationships.sorted(byCodePointsOf: \.name)
        entity.fetchedProperties = entity.fetchedProperties.sorted(byCodePointsOf: \.name)
        readIndexes(of: object, into: &entity)
        return entity
    }

    private mutating func add(_ property: ArchivedObject, named name: String, to entity: inout EntityElement)
    {
        let path = "\(entity.name).\(name)"
        switch property.className {
        case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
            entity.attributes.append(attribute(property, named: name, at: path))
        case "NSRelationshipDescription":
            entity.relationships.append(relationship(property, named: name, at: path))
        case "NSFetchedPropertyDescription":
            entity.fetchedProperties.append(fetchedProperty(property, named: name, at: path))
        default:
            warn(at: path, "a property of the unknown class \(property.className) is left out")
        }
    }

    /// Returns the names of the properties of an entity and of its ancestors. A cycle in the inheritance is
    /// followed once.
    private static func propertyNames(_ entity: ArchivedObject?) -> Set<String> {
        var names: Set<String> = []
        var visited: Set<Int> = []
        var level = entity
        while let current = level, visited.insert(current.index).inserted {
            names.formUnion(current.entries("NSProperties").map(\.key))
            level = current.object("NSSuperentity")
        }
        return names
    }

    // MARK: Parts

    func renamingIdentifier(_ object: ArchivedObject, _ name: String) -> String? {
        object.string("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
    }

    mutating func predicateText(_ object: ArchivedObject, at path: String) -> String? {
        if let node = object.predicateNode { return PredicateText.text(of: node) }
        warn(at: path, "a predicate of class \(object.className) is not understood and left out")
        return nil
    }

    mutating func expressionText(_ object: ArchivedObject, at path: String) -> String? {
        if let node = object.expressionNode { return PredicateText.text(of: node) }
        warn(at: path, "an expression of class \(object.className) is not understood and left out")
        return nil
    }

    mutating func warn(at path: String, _ message: String) {
        diagnostics.append(Diagnostic(.warning, at: path, message))
    }
}
