internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// The reader of a managed object model as a sync schema: what there is, under names that do not change when
/// something is renamed, and the user info that says how it is synced.
///
/// Transient, derived and fetched properties, and attributes with `SyncLocal`, are left out: each device has its own.
struct SyncModelReader {
    let entities: [NSEntityDescription]

    /// Reads the entities of a configuration.
    ///
    /// - Throws: `StoreSyncError.model` for what cannot be synced.
    func read() throws -> SyncModel { SyncModel(entities: try entities.map(entity)) }

    static func stableName(_ entity: NSEntityDescription) -> String {
        entity.renamingIdentifier ?? entity.name ?? ""
    }

    static func stableName(_ property: NSPropertyDescription) -> String {
        property.renamingIdentifier ?? property.name
    }

    /// Whether the property is the store's and not the device's own.
    static func isSynced(_ property: NSPropertyDescription) -> Bool {
        let isLocal = property is NSAttributeDescription && property.userInfo?["SyncLocal"] != nil
        return !isLocal && !property.isTransient && !(property is NSDerivedAttributeDescription)
            && !(property is NSFetchedPropertyDescription)
    }

    private func entity(_ entity: NSEntityDescription) throws -> SyncModel.Entity {
        guard entity.userInfo?["SyncZoneParent"] == nil else {
            throw StoreSyncError.model(
                "\(entity.name ?? ""): SyncZoneParent asks for zones by owner, and all objects of a store are synced with "
                    + "one zone: give each zone a store of its own, and remove the key")
        }
        let parent = entity.superentity
        let own = entity.properties.filter {
            Self.isSynced($0) && parent?.propertiesByName[$0.name] == nil
        }
        let inherited = Set((parent?.uniquenessConstraints ?? []).map(Self.names))
        let unique = entity.uniquenessConstraints.map(Self.names).filter { !inherited.contains($0) }
        return SyncModel.Entity(
            Self.stableName(entity), parent: parent.map(Self.stableName),
            properties: try own.sorted { $0.name < $1.name }.map { try property($0, of: entity) },
            unique: unique.map { $0.map { entity.attributesByName[$0].map(Self.stableName) ?? $0 } },
            userInfo: Self.texts(entity.userInfo))
    }

    private static func names(_ constraint: [Any]) -> [String] {
        constraint.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
    }

    private static func texts(_ info: [AnyHashable: Any]?) -> [String: String] {
        var result: [String: String] = [:]
        for (key, value) in info ?? [:] {
            if let key = key as? String, key.hasPrefix("Sync"), let value = value as? String {
                result[key] = value
            }
        }
        return result
    }

    private func property(
        _ property: NSPropertyDescription, of entity: NSEntityDescription
    ) throws -> SyncModel.Property {
        let kind: SyncModel.Kind
        switch property {
        case let attribute as NSAttributeDescription: kind = try self.attribute(attribute, of: entity)
        case let relationship as NSRelationshipDescription:
            kind = .relationship(try self.relationship(relationship, of: entity))
        default: throw Self.error(property, of: entity, "a property of this kind cannot be synced")
        }
        return SyncModel.Property(
            Self.stableName(property), kind, isOptional: property.isOptional,
            userInfo: Self.texts(property.userInfo))
    }

    private func attribute(
        _ attribute: NSAttributeDescription, of entity: NSEntityDescription
    ) throws -> SyncModel.Kind {
        switch attribute.attributeType {
        case .transformableAttributeType:
            if let name = AttributeBinding(attribute).transformer,
                ValueTransformer(forName: NSValueTransformerName(name)) == nil
            {
                throw Self.error(attribute, of: entity, "its transformer \(name) is not registered")
            }
        case .undefinedAttributeType, .objectIDAttributeType:
            throw Self.error(attribute, of: entity, "an attribute of this type cannot be synced")
        default: break
        }
        let standard = StoreValue.read(attribute.defaultValue, AttributeBinding(attribute))
        guard let kind = SyncModel.Kind.attribute(type: attribute.attributeType.rawValue, default: standard)
        else { throw Self.error(attribute, of: entity, "an attribute of this type cannot be synced") }
        return kind
    }

    private func relationship(
        _ relationship: NSRelationshipDescription, of entity: NSEntityDescription
    ) throws -> SyncModel.Relationship {
        guard let target = relationship.destinationEntity, entities.contains(where: { $0 === target }) else {
            throw Self.error(relationship, of: entity, "its destination is not in the store")
        }
        let rule: SyncModel.DeleteRule =
            switch relationship.deleteRule {
            case .noActionDeleteRule: .nothing
            case .nullifyDeleteRule: .nullify
            case .cascadeDeleteRule: .cascade
            case .denyDeleteRule: .deny
            @unknown default: .nullify
            }
        return SyncModel.Relationship(
            to: Self.stableName(target), inverse: relationship.inverseRelationship.map(Self.stableName),
            isToMany: relationship.isToMany,
            isOrdered: relationship.isOrdered, minimum: relationship.isToMany ? relationship.minCount : 0,
            maximum: relationship.isToMany ? relationship.maxCount : 0, deleteRule: rule)
    }

    private static func error(
        _ property: NSPropertyDescription, of entity: NSEntityDescription, _ problem: String
    ) -> StoreSyncError {
        .model("\(entity.name ?? "").\(property.name): \(problem)")
    }
}
