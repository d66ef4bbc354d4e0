package import CoreDataModelFormat

/// An element of a document, of whichever kind.
package enum ModelElement: Sendable, Hashable {
    case model(ModelDocument)
    case entity(EntityElement)
    case attribute(AttributeElement)
    case relationship(RelationshipElement)
    case fetchedProperty(FetchedPropertyElement)
    case index(FetchIndexElement)
    case configuration(ConfigurationElement)
    case composite(CompositeElement)
    case fetchRequest(FetchRequestElement)

    package var kind: ElementKind {
        switch self {
        case .model: .model
        case .entity: .entity
        case .attribute: .attribute
        case .relationship: .relationship
        case .fetchedProperty: .fetchedProperty
        case .index: .index
        case .configuration: .configuration
        case .composite: .composite
        case .fetchRequest: .fetchRequest
        }
    }

    /// The name; empty for the model.
    package var name: String {
        switch self {
        case .model: ""
        case .entity(let element): element.name
        case .attribute(let element): element.name
        case .relationship(let element): element.name
        case .fetchedProperty(let element): element.name
        case .index(let element): element.name
        case .configuration(let element): element.name
        case .composite(let element): element.name
        case .fetchRequest(let element): element.name
        }
    }

    /// The renaming identifier; nil for kinds that have none.
    var renamingIdentifier: String? {
        switch self {
        case .entity(let element): element.renamingIdentifier
        case .attribute(let element): element.renamingIdentifier
        case .relationship(let element): element.renamingIdentifier
        default: nil
        }
    }

    /// Returns the members of a kind, in the order of the document.
    package func members(_ kind: ElementKind) -> [ModelElement] {
        switch (self, kind) {
        case (.model(let model), .entity): model.entities.map { .entity($0) }
        case (.model(let model), .fetchRequest): model.fetchRequests.map { .fetchRequest($0) }
        case (.model(let model), .configuration): model.configurations.map { .configuration($0) }
        case (.model(let model), .composite): model.composites.map { .composite($0) }
        case (.entity(let entity), .attribute): entity.attributes.map { .attribute($0) }
        case (.entity(let entity), .relationship): entity.relationships.map { .relationship($0) }
        case (.entity(let entity), .fetchedProperty): entity.fetchedProperties.map { .fetchedProperty($0) }
        case (.entity(let entity), .index): entity.fetchIndexes.map { .index($0) }
        case (.composite(let composite), .attribute): composite.attributes.map { .attribute($0) }
        default: []
        }
    }

    /// Returns the element with another name.
    func named(_ name: String) -> ModelElement {
        switch self {
        case .model: return self
        case .entity(var element):
            element.name = name
            return .entity(element)
        case .attribute(var element):
            element.name = name
            return .attribute(element)
        case .relationship(var element):
            element.name = name
            return .relationship(element)
        case .fetchedProperty(var element):
            element.name = name
            return .fetchedProperty(element)
        case .index(var element):
            element.name = name
            return .index(element)
        case .configuration(var element):
            element.name = name
            return .configuration(element)
        case .composite(var element):
            element.name = name
            return .composite(element)
        case .fetchRequest(var element):
            element.name = name
            return .fetchRequest(element)
        }
    }
}
