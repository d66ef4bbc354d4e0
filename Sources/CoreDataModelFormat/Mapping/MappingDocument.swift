package import CoreDataPredicates

/// How the objects of one model become those of another: what an `.xcmappingmodel`, a compiled `.cdm` or a comparison
/// of two models says (xml-store §3).
package struct MappingDocument: Sendable, Hashable {
    package var entities: [EntityMappingElement]

    package init(entities: [EntityMappingElement] = []) {
        self.entities = entities
    }
}

/// How the objects of one entity become those of another.
package struct EntityMappingElement: Sendable, Hashable {
    /// Raw values are those of `NSEntityMappingType`.
    package enum Kind: UInt, Sendable, Hashable, CaseIterable {
        case undefined = 0
        /// A policy of the app says how.
        case custom = 1
        /// The entity is new: nothing is the source of its objects.
        case add = 2
        /// Objects of the source have no successors.
        case remove = 3
        /// The entity goes on under its name. Xcode calls it so even where the entity has changed and properties have
        /// expressions, so that their values are to be worked out as for any other kind.
        case copy = 4
        case transform = 5
    }

    package var name: String
    package var kind: Kind
    package var sourceName: String?
    package var sourceHash: [UInt8]?
    package var destinationName: String?
    package var destinationHash: [UInt8]?
    package var attributes: [PropertyMappingElement]
    package var relationships: [PropertyMappingElement]
    /// Finds the source objects: `FETCH(…)` over the source context. Nil for all of the source entity.
    package var source: ExpressionNode?
    /// The class of the app's policy; nil for the framework's.
    package var policyClassName: String?
    package var userInfo: [UserInfoEntry]

    package init(
        name: String,
        kind: Kind,
        sourceName: String? = nil,
        sourceHash: [UInt8]? = nil,
        destinationName: String? = nil,
        destinationHash: [UInt8]? = nil,
        attributes: [PropertyMappingElement] = [],
        relationships: [PropertyMappingElement] = [],
        source: ExpressionNode? = nil,
        policyClassName: String? = nil,
        userInfo: [UserInfoEntry] = []
    ) {
        self.name = name
        self.kind = kind
        self.sourceName = sourceName
        self.sourceHash = sourceHash
        self.destinationName = destinationName
        self.destinationHash = destinationHash
        self.attributes = attributes
        self.relationships = relationships
        self.source = source
        self.policyClassName = policyClassName
        self.userInfo = userInfo
    }
}

/// Where the value of one property of the destination comes from.
package struct PropertyMappingElement: Sendable, Hashable {
    package var name: String
    /// Over `$source`, `$destination`, `$manager`, `$entityMapping`, `$entityPolicy`; nil leaves the default.
    package var value: ExpressionNode?
    package var userInfo: [UserInfoEntry]

    package init(name: String, value: ExpressionNode? = nil, userInfo: [UserInfoEntry] = []) {
        self.name = name
        self.value = value
        self.userInfo = userInfo
    }
}
