public import Foundation

/// The effect of deleting an object on the objects at the far side of its relationship.
public enum NSDeleteRule: UInt, @unchecked Sendable {
    /// Nothing: the far side goes on referring to the deleted object.
    case noActionDeleteRule = 0
    /// The far side no longer refers to the deleted object.
    case nullifyDeleteRule = 1
    /// The objects on the far side are deleted, too.
    case cascadeDeleteRule = 2
    /// The object cannot be deleted while there is an object on the far side: the save throws 1600
    /// (`NSValidationRelationshipDeniedDeleteError`).
    case denyDeleteRule = 3
}

/// A relationship: a property that holds one object or a collection of objects of another entity.
///
/// Destination and inverse are not retained: a model holds its entities, an entity its properties. Their
/// names are remembered, so that a copy finds the entities of the model to which it is added.
open class NSRelationshipDescription: NSPropertyDescription {
    private var linkedDestination: NSEntityDescription? {
        get { destinationLink?.target }
        set { destinationLink = newValue?.link }
    }
    private var destinationLink: Backlink<NSEntityDescription>?
    private weak var linkedInverse: NSRelationshipDescription?
    final var destinationName: String?
    final var inverseName: String?

    /// The entity of the objects on the far side.
    ///
    /// A model with a relationship without a destination cannot be used.
    public var destinationEntity: NSEntityDescription? {
        get {
            if let linkedDestination { return linkedDestination }
            return destinationName.flatMap { owner?.model?.entitiesByName[$0] }
        }
        set {
            requireMutable()
            linkedDestination = newValue
            destinationName = newValue?.name
        }
    }

    /// The inverse relationship, which is updated whenever this one changes; nil if there is none.
    public var inverseRelationship: NSRelationshipDescription? {
        get {
            if let linkedInverse { return linkedInverse }
            return inverseName.flatMap { destinationEntity?.relationshipsByName[$0] }
        }
        set {
            requireMutable()
            linkedInverse = newValue
            inverseName = newValue?.name
        }
    }

    /// The largest number of objects: 1 makes a to-one relationship, 0, the default, an unlimited to-many
    /// one.
    ///
    /// An object with more of them fails validation with error 1590
    /// (`NSValidationRelationshipExceedsMaximumCountError`).
    public var maxCount = 0 { willSet { requireMutable() } }
    /// The smallest number of objects of a to-many relationship; 0 by default.
    ///
    /// An object with fewer of them fails validation with error 1580
    /// (`NSValidationRelationshipLacksMinimumCountError`), except that an optional relationship may have
    /// none.
    public var minCount = 0 { willSet { requireMutable() } }
    /// The effect of a deletion on the far side; `.nullifyDeleteRule` by default.
    public var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { requireMutable() } }
    /// Whether a to-many relationship keeps the order that the app gives its objects, as an `NSOrderedSet`;
    /// false by default.
    public var isOrdered = false { willSet { requireMutable() } }

    /// Whether the value is a collection.
    public var isToMany: Bool { maxCount != 1 }

    /// The name of the destination: that of the linked entity, which may have been renamed since, or the
    /// remembered one.
    final var currentDestinationName: String? { linkedDestination?.name ?? destinationName }
    /// The name of the inverse: that of the linked relationship, which may have been renamed since, or the
    /// remembered one.
    final var currentInverseName: String? { linkedInverse?.name ?? inverseName }

    /// Makes a relationship whose destination is in another model refer to the entities of `model`.
    final func relink(in model: NSManagedObjectModel, entities: [String: NSEntityDescription]) {
        if linkedDestination?.model !== model, let entity = currentDestinationName.flatMap({ entities[$0] }) {
            let inverse = currentInverseName
            linkedDestination = entity
            destinationName = entity.name
            linkedInverse = inverse.flatMap { entity.relationshipsByName[$0] } ?? linkedInverse
            inverseName = inverse
        }
    }

    /// Returns a copy that belongs to no entity and can be changed.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone) as! NSRelationshipDescription
        copy.linkedDestination = linkedDestination
        copy.linkedInverse = linkedInverse
        copy.destinationName = currentDestinationName
        copy.inverseName = currentInverseName
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
        return copy
    }

    /// Returns whether another relationship has equal contents; destination and inverse are compared by name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSRelationshipDescription else { return false }
        return currentDestinationName == other.currentDestinationName
            && currentInverseName == other.currentInverseName
            && maxCount == other.maxCount
            && minCount == other.minCount
            && deleteRule == other.deleteRule
            && isOrdered == other.isOrdered
    }

    /// The relationship's settings.
    open override var description: String {
        super.description
            + ", destination entity \(currentDestinationName ?? "(null)"), inverseRelationship "
            + "\(currentInverseName ?? "(null)"), minCount \(minCount), maxCount \(maxCount), "
            + "isOrdered \(isOrdered), deleteRule \(deleteRule.rawValue)"
    }
}
