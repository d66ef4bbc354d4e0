package import CoreDataValues

/// A model as a replica declares it to the server: what it has, under names that never change, and the user
/// info that says how it is synced.
///
/// A stable name is the oldest name that renaming identifiers lead back to.
package struct SyncModel: Hashable, Sendable {
    package var entities: [Entity]

    package init(entities: [Entity]) {
        self.entities = entities
    }

    package struct Entity: Hashable, Sendable {
        package var name: String
        package var parent: String?
        /// Without those of the parent.
        package var properties: [Property]
        /// The names of attributes that are unique together.
        package var unique: [[String]]
        /// `SyncIdentity`, `SyncDelete`.
        package var userInfo: [String: String]

        package init(
            _ name: String, parent: String? = nil, properties: [Property] = [], unique: [[String]] = [],
            userInfo: [String: String] = [:]
        ) {
            self.name = name
            self.parent = parent
            self.properties = properties
            self.unique = unique
            self.userInfo = userInfo
        }
    }

    package struct Property: Hashable, Sendable {
        package var name: String
        package var kind: Kind
        package var isOptional: Bool
        /// `SyncMerge`, `SyncGroup`, `SyncAcyclic`.
        package var userInfo: [String: String]

        package init(
            _ name: String, _ kind: Kind, isOptional: Bool = true, userInfo: [String: String] = [:]
        ) {
            self.name = name
            self.kind = kind
            self.isOptional = isOptional
            self.userInfo = userInfo
        }
    }

    package enum Kind: Hashable, Sendable {
        case attribute(AttributeType, default: SyncValue)
        case relationship(Relationship)
    }

    package struct Relationship: Hashable, Sendable {
        package var target: String
        package var inverse: String?
        package var isToMany: Bool
        package var isOrdered: Bool
        package var minimum: Int
        /// Zero is no limit.
        package var maximum: Int
        package var deleteRule: DeleteRule

        package init(
            to target: String, inverse: String?, isToMany: Bool = false, isOrdered: Bool = false,
            minimum: Int = 0, maximum: Int = 0, deleteRule: DeleteRule = .nullify
        ) {
            self.target = target
            self.inverse = inverse
            self.isToMany = isToMany
            self.isOrdered = isOrdered
            self.minimum = minimum
            self.maximum = maximum
            self.deleteRule = deleteRule
        }
    }

    /// What a deletion does to the objects at the other end of a relationship.
    package enum DeleteRule: String, Hashable, Sendable, CaseIterable {
        case nothing, nullify, cascade, deny
    }
}

/// Why a model cannot be synced. It names the entity and the property.
package struct SyncModelError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ entity: String, _ property: String? = nil, _ problem: String) {
        description = (property.map { "\(entity).\($0)" } ?? entity) + ": " + problem
    }
}
