package import CoreDataPredicates
package import CoreDataValues

/// A property of a compiled entity, identified by number instead of name. It is a class, so that a look-up
/// copies nothing.
package final class PropertySlot: Sendable {
    package enum Kind: Sendable {
        case attribute(AttributeSlot)
        case relationship(RelationshipSlot)
        case fetchedProperty(FetchedPropertyElement)
    }

    /// The property's position in `CompiledEntity.slots`. An inherited property has the same position in
    /// every subentity.
    package let index: Int
    package let name: String
    package let isOptional: Bool
    package let isTransient: Bool
    /// The entity that declares the property; its subentities inherit it.
    package let declaringEntity: EntityIndex
    /// The property's position in the packed row; nil unless it is a persistent attribute or to-one
    /// relationship.
    package let column: Int?
    /// The property's position among the values that an object keeps beside its row: to-many relationships,
    /// transient attributes and fetched properties. Nil for properties in the row.
    package let side: Int?
    package let kind: Kind

    init(
        index: Int, name: String, isOptional: Bool, isTransient: Bool, declaringEntity: EntityIndex,
        column: Int?, side: Int?, kind: Kind
    ) {
        self.index = index
        self.name = name
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.declaringEntity = declaringEntity
        self.column = column
        self.side = side
        self.kind = kind
    }

    package var attribute: AttributeSlot? {
        if case .attribute(let attribute) = kind { attribute } else { nil }
    }

    package var relationship: RelationshipSlot? {
        if case .relationship(let relationship) = kind { relationship } else { nil }
    }

    package var isToOne: Bool { relationship.map { !$0.isToMany } ?? false }
    package var isToMany: Bool { relationship?.isToMany ?? false }
}

/// The part of a slot that only attributes have. It is a class, so that a look-up copies nothing.
package final class AttributeSlot: Sendable {
    package let type: AttributeType
    package let defaultValue: AttributeValue
    package let allowsExternalStorage: Bool
    package let preservesValueOnDeletion: Bool
    package let valueTransformerName: String?
    package let customClassName: String?
    /// The expression of a derived attribute.
    package let derivation: ExpressionNode?
    /// The elements of a composite attribute, in document order.
    package let elements: [CompositeElementSlot]

    init(
        _ element: AttributeElement, derivation: ExpressionNode?, elements: [CompositeElementSlot]
    ) {
        type = element.type
        defaultValue = element.defaultValue
        allowsExternalStorage = element.allowsExternalStorage
        preservesValueOnDeletion = element.preservesValueOnDeletion
        valueTransformerName = element.valueTransformerName
        customClassName = element.customClassName
        self.derivation = derivation
        self.elements = elements
    }
}

/// A named value within a composite attribute.
package struct CompositeElementSlot: Sendable {
    package let name: String
    package let renamingIdentifier: String?
    package let isOptional: Bool
    package let attribute: AttributeSlot
}

extension AttributeSlot {
    /// The elements that are not composites, including nested ones, each with the path of names that leads to
    /// it.
    package var leaves: [(path: [String], attribute: AttributeSlot)] {
        elements.flatMap { element -> [(path: [String], attribute: AttributeSlot)] in
            guard element.attribute.type == .composite else { return [([element.name], element.attribute)] }
            return element.attribute.leaves.map { ([element.name] + $0.path, $0.attribute) }
        }
    }

    package func element(named name: String) -> AttributeSlot? {
        elements.first { $0.name == name }?.attribute
    }

    /// Returns the element at a path within the composite: the attribute itself for an empty path, nil if
    /// there is no such element.
    package func element(at path: some Collection<String>) -> AttributeSlot? {
        if elements.isEmpty, path.isEmpty { return self }
        return path.reduce(Optional(self)) { $0?.element(named: $1) }
    }
}

package struct RelationshipSlot: Sendable {
    package let destination: EntityIndex
    /// Whether the destination has subentities, so that a reference must contain the entity of its object.
    package let isPolymorphic: Bool
    /// The index of the inverse among the slots of the destination. Its subentities inherit the slot with the
    /// same index.
    package let inverse: Int?
    /// Whether the relationship is its own inverse.
    package let isReflexive: Bool
    package let isToMany: Bool
    package let isOrdered: Bool
    package let minimumCount: Int
    package let maximumCount: Int
    package let deleteRule: RelationshipElement.DeleteRule
}
