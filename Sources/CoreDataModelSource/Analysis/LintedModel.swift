import CoreDataModelFormat

/// A model with the look-ups that the lint rules need.
struct LintedModel: Sendable {
    /// A property of an entity, of whichever kind.
    enum Property: Sendable {
        case attribute(AttributeElement)
        case relationship(RelationshipElement)
        case fetchedProperty(FetchedPropertyElement)
    }

    let document: ModelDocument
    private let inheritance: EntityInheritance
    private let children: [String: [EntityElement]]

    init(_ document: ModelDocument) {
        self.document = document
        inheritance = EntityInheritance(document)
        children = Dictionary(grouping: document.entities.filter { $0.parentName != nil }) { $0.parentName! }
    }

    func entity(named name: String) -> EntityElement? { inheritance.entity(named: name) }

    func children(of entity: EntityElement) -> [EntityElement] { children[entity.name] ?? [] }

    /// Returns the entity and its ancestors, the entity first. If the inheritance has a cycle, the list ends
    /// before the first repeated entity.
    func lineage(of entity: EntityElement) -> [EntityElement] { inheritance.lineage(of: entity) }

    /// Returns the property `name` of the entity, which may be inherited.
    func property(_ name: String, of entity: EntityElement) -> Property? {
        for level in lineage(of: entity) {
            if let attribute = level.attributes.first(where: { $0.name == name }) {
                return .attribute(attribute)
            }
            if let relationship = level.relationships.first(where: { $0.name == name }) {
                return .relationship(relationship)
            }
            if let property = level.fetchedProperties.first(where: { $0.name == name }) {
                return .fetchedProperty(property)
            }
        }
        return nil
    }

    func relationship(_ name: String, of entity: EntityElement) -> RelationshipElement? {
        if case .relationship(let relationship) = property(name, of: entity) { relationship } else { nil }
    }

    /// Returns the first key of the path, starting at `entity`, that is not a property; nil if all are.
    func brokenKey(of keys: [String], from entity: EntityElement) -> String? {
        var current: EntityElement? = entity
        for key in keys where !key.hasPrefix("@") {
            guard let owner = current, let property = property(key, of: owner) else { return key }
            if case .relationship(let relationship) = property {
                guard let destination = self.entity(named: relationship.destinationName) else { return nil }
                current = destination
            } else {
                current = nil
            }
        }
        return nil
    }
}

extension EntityElement {
    /// The names of the entity's own properties: attributes, relationships and fetched properties, each in
    /// document order.
    var propertyNames: [String] {
        attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
    }
}

extension Sequence where Element: Hashable {
    /// The elements that occur more than once, each listed once, in order of their second occurrence.
    var repeated: [Element] {
        var counts: [Element: Int] = [:]
        return filter { element in
            counts[element, default: 0] += 1
            return counts[element] == 2
        }
    }
}
