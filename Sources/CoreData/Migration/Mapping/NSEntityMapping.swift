import CoreDataModelFormat
package import CoreDataPredicates
package import CoreDataValues
public import Foundation

/// A description of how the objects of one entity become those of another.
///
/// The hashes say for which versions of the entities the mapping was made; a mapping made in code may leave
/// them out.
open class NSEntityMapping: NSObject {
    /// The name by which expressions and policies refer to the mapping, unique in its mapping model.
    open var name: String!
    /// The way in which the mapping treats the objects of its source.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType
    /// The name of the entity in the source model; nil if the mapping adds an entity.
    open var sourceEntityName: String?
    /// The version hash of the entity in the source model; nil fits any version.
    open var sourceEntityVersionHash: Data?
    /// The name of the entity in the destination model; nil if the mapping removes an entity.
    open var destinationEntityName: String?
    /// The version hash of the entity in the destination model; nil fits any version.
    open var destinationEntityVersionHash: Data?
    /// The origins of the attributes' values.
    open var attributeMappings: [NSPropertyMapping]?
    /// The origins of the relationships' members.
    open var relationshipMappings: [NSPropertyMapping]?
    /// The expression that yields the source objects; nil stands for all of the source entity, without those
    /// of its subentities.
    open var sourceExpression: NSExpression?
    /// Values of the app's own.
    open var userInfo: [AnyHashable: Any]?
    /// The full name of the policy class that carries the mapping out; nil for `NSEntityMigrationPolicy`.
    open var entityMigrationPolicyClassName: String?

    /// Makes an empty mapping.
    public override init() {
        super.init()
    }

    // MARK: NSObject

    /// Returns whether both do the same with objects of the same entities.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityMapping else { return false }
        return other === self
            || other.name == name && other.mappingType == mappingType
                && other.sourceEntityName == sourceEntityName
                && other.sourceEntityVersionHash == sourceEntityVersionHash
                && other.destinationEntityName == destinationEntityName
                && other.destinationEntityVersionHash == destinationEntityVersionHash
                && (other.attributeMappings ?? []) == (attributeMappings ?? [])
                && (other.relationshipMappings ?? []) == (relationshipMappings ?? [])
                && other.sourceExpression == sourceExpression
                && (other.userInfo ?? [:]) as NSDictionary == (userInfo ?? [:]) as NSDictionary
                && other.entityMigrationPolicyClassName == entityMigrationPolicyClassName
    }

    /// A hash value of the name.
    open override var hash: Int { name?.hashValue ?? 0 }

    /// Name, type, entities and policy, as text.
    open override var description: String {
        "(<NSEntityMapping>) name \(name ?? "(null)"), type \(mappingType.rawValue), source "
            + "\(sourceEntityName ?? "(null)"), destination \(destinationEntityName ?? "(null)"), policy "
            + "\(entityMigrationPolicyClassName ?? "NSEntityMigrationPolicy")"
    }
}

extension NSEntityMapping {
    convenience init(_ element: EntityMappingElement) {
        self.init()
        name = element.name
        mappingType = NSEntityMappingType(rawValue: element.kind.rawValue) ?? .undefinedEntityMappingType
        sourceEntityName = element.sourceName
        sourceEntityVersionHash = element.sourceHash.map { Data($0) }
        destinationEntityName = element.destinationName
        destinationEntityVersionHash = element.destinationHash.map { Data($0) }
        attributeMappings = element.attributes.map(NSPropertyMapping.init)
        relationshipMappings = element.relationships.map(NSPropertyMapping.init)
        sourceExpression = element.source.map(NSExpression.expression(for:))
        userInfo = element.userInfo.isEmpty ? nil : element.userInfo.dictionary
        entityMigrationPolicyClassName = element.policyClassName
    }

    final var element: EntityMappingElement {
        EntityMappingElement(
            name: name ?? "",
            kind: EntityMappingElement.Kind(rawValue: mappingType.rawValue) ?? .undefined,
            sourceName: sourceEntityName,
            sourceHash: sourceEntityVersionHash.map { [UInt8]($0) },
            destinationName: destinationEntityName,
            destinationHash: destinationEntityVersionHash.map { [UInt8]($0) },
            attributes: (attributeMappings ?? []).map(\.element),
            relationships: (relationshipMappings ?? []).map(\.element),
            source: sourceExpression?.node,
            policyClassName: entityMigrationPolicyClassName,
            userInfo: UserInfoEntry.entries(of: userInfo))
    }
}

extension NSEntityMapping: KeyedValues {
    package final var identity: AnyHashable { AnyHashable(ObjectIdentifier(self)) }
    package final var rowReference: ObjectReference? { nil }

    /// Returns the value that expressions get for a key of `$entityMapping`.
    package final func expressionValue(forKey key: String) throws(EvaluationError) -> ExpressionValue {
        switch key {
        case "name": ExpressionValue(boxing: name)
        case "mappingType": .value(.integer(Int64(mappingType.rawValue)))
        case "sourceEntityName": ExpressionValue(boxing: sourceEntityName)
        case "sourceEntityVersionHash": ExpressionValue(boxing: sourceEntityVersionHash)
        case "destinationEntityName": ExpressionValue(boxing: destinationEntityName)
        case "destinationEntityVersionHash": ExpressionValue(boxing: destinationEntityVersionHash)
        case "userInfo": ExpressionValue(boxing: userInfo)
        case "entityMigrationPolicyClassName": ExpressionValue(boxing: entityMigrationPolicyClassName)
        default: throw .unknownKey(key, of: "an entity mapping")
        }
    }
}
