public import Foundation

/// What happens to the destination when the source of a relationship is deleted.
public enum NSDeleteRule: UInt, @unchecked Sendable {
    case noActionDeleteRule = 0
    case nullifyDeleteRule = 1
    case cascadeDeleteRule = 2
    case denyDeleteRule = 3
}

/// A relationship: a property that holds one object or a collection of objects of another entity.
///
/// Entity and inverse are not retained: a model holds its entities, an entity its properties. Their names are
/// remembered, so that a copy finds the entities of the model it ends up in.
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

    /// The relationship that leads back.
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

    /// 1 makes a to-one relationship, 0 an unlimited to-many.
    public var maxCount = 0 { willSet { requireMutable() } }
    public var minCount = 0 { willSet { requireMutable() } }
    public var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { requireMutable() } }
    public var isOrdered = false { willSet { requireMutable() } }

    public var isToMany: Bool { maxCount != 1 }

    /// Names as they are now: the linked description's, which may have been renamed since, or the remembered.
    final var currentDestinationName: String? { linkedDestination?.name ?? destinationName }
    final var currentInverseName: String? { linkedInverse?.name ?? inverseName }

    /// Points the relationship at the entities of `model` where it still points into another.
    final func relink(in model: NSManagedObjectModel, entities: [String: NSEntityDescription]) {
        if linkedDestination?.model !== model, let entity = currentDestinationName.flatMap({ entities[$0] }) {
            let inverse = currentInverseName
            linkedDestination = entity
            destinationName = entity.name
            linkedInverse = inverse.flatMap { entity.relationshipsByName[$0] } ?? linkedInverse
            inverseName = inverse
        }
    }

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

    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? NSRelationshipDescription else { return false }
        return currentDestinationName == other.currentDestinationName
            && currentInverseName == other.currentInverseName
            && maxCount == other.maxCount
            && minCount == other.minCount
            && deleteRule == other.deleteRule
            && isOrdered == other.isOrdered
    }

    open override var description: String {
        super.description
            + ", destination entity \(currentDestinationName ?? "(null)"), inverseRelationship "
            + "\(currentInverseName ?? "(null)"), minCount \(minCount), maxCount \(maxCount), "
            + "isOrdered \(isOrdered), deleteRule \(deleteRule.rawValue)"
    }
}
