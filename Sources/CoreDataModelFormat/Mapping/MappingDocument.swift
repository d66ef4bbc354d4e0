package import CoreDataPredicates

/// A description of how objects of one model become objects of another, from an `.xcmappingmodel`, a compiled
/// `.cdm` or a comparison of two models (xml-store §3).
package struct MappingDocument: Sendable, Hashable {
    package var entities: [EntityMappingElement]

    package init(entities: [EntityMappingElement] = []) {
        self.entities = entities
    }
}

/// A description of how the objects of one entity become those of another.
package struct EntityMappingElement: Sendable, Hashable {
    /// The type of the mapping; raw values are those of `NSEntityMappingType`.
    package enum Kind: UInt, Sendable, Hashable, CaseIterable {
        case undefined = 0
        /// A policy class of the app makes the objects.
        case custom = 1
        /// The entity is new, so its objects have no source.
        case add = 2
        /// The entity was removed, so the source's objects have no successors.
        case remove = 3
        /// The entity keeps its name.
        ///
        /// Xcode also gives this type if the entity has changed and properties have expressions, so values
        /// have to be computed as for any other type.
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
    /// The expression that finds the source objects, `FETCH(…)` over the source context; nil for all objects
    /// of the source entity.
    package var source: ExpressionNode?
    /// The class of the app's policy; nil for the framework's own.
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

/// A description of the origin of one destination property's value.
package struct PropertyMappingElement: Sendable, Hashable {
    package var name: String
    /// The expression over `$source`, `$destination`, `$manager`, `$entityMapping` and `$entityPolicy`. With
    /// nil, the property keeps its default.
    package var value: ExpressionNode?
    package var userInfo: [UserInfoEntry]

    package init(name: String, value: ExpressionNode? = nil, userInfo: [UserInfoEntry] = []) {
        self.name = name
        self.value = value
        self.userInfo = userInfo
    }
}
