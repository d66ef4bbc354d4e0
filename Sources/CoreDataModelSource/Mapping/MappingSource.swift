package import CoreDataModelFormat
package import CoreDataPredicates

/// A mapping model as its author wrote it: the contents of an `.xcmappingmodel`, before its two models are
/// read (xml-store §3).
package struct MappingSource: Sendable, Hashable {
    /// The path of the source's `.xcdatamodel` folder, relative to the folder of the Xcode project in which
    /// the mapping was made.
    package var sourceModelPath: String
    package var destinationModelPath: String
    /// The entity mappings in the editor's order.
    package var entities: [EntityMappingSource]

    package init(
        sourceModelPath: String, destinationModelPath: String, entities: [EntityMappingSource] = []
    ) {
        self.sourceModelPath = sourceModelPath
        self.destinationModelPath = destinationModelPath
        self.entities = entities
    }
}

package struct EntityMappingSource: Sendable, Hashable {
    /// The name; nil if the compiler makes one, such as `PersonToPerson`.
    package var name: String?
    /// The type; nil if the compiler determines it. Xcode always leaves it to the compiler.
    package var kind: EntityMappingElement.Kind?
    package var sourceName: String?
    package var destinationName: String?
    package var policyClassName: String?
    /// The expression that finds the source objects; nil for all objects of the source entity.
    package var source: ExpressionNode?
    package var userInfo: [UserInfoEntry]
    package var attributes: [PropertyMappingSource]
    package var relationships: [PropertyMappingSource]

    package init(
        name: String? = nil,
        kind: EntityMappingElement.Kind? = nil,
        sourceName: String? = nil,
        destinationName: String? = nil,
        policyClassName: String? = nil,
        source: ExpressionNode? = nil,
        userInfo: [UserInfoEntry] = [],
        attributes: [PropertyMappingSource] = [],
        relationships: [PropertyMappingSource] = []
    ) {
        self.name = name
        self.kind = kind
        self.sourceName = sourceName
        self.destinationName = destinationName
        self.policyClassName = policyClassName
        self.source = source
        self.userInfo = userInfo
        self.attributes = attributes
        self.relationships = relationships
    }

    /// The name of the compiled mapping, by which expressions of other mappings refer to it.
    package var mappingName: String {
        if let name { return name }
        guard let sourceName else { return destinationName ?? "" }
        return destinationName.map { "\(sourceName)To\($0)" } ?? sourceName
    }
}

package struct PropertyMappingSource: Sendable, Hashable {
    package var name: String
    /// The expression that the author wrote, or that the editor generated from the author's choices.
    package var value: ExpressionNode?
    /// Whether the compiler adds an expression where there is none.
    package var isGenerated: Bool
    /// The path from the source object to the property to read; empty for the source object itself, nil for
    /// the property of the same name.
    package var sourceKeyPath: String?
    /// The mapping that makes the objects of a relationship; nil if the compiler determines it.
    package var sourceMappingName: String?
    package var userInfo: [UserInfoEntry]

    package init(
        name: String,
        value: ExpressionNode? = nil,
        isGenerated: Bool = true,
        sourceKeyPath: String? = nil,
        sourceMappingName: String? = nil,
        userInfo: [UserInfoEntry] = []
    ) {
        self.name = name
        self.value = value
        self.isGenerated = isGenerated
        self.sourceKeyPath = sourceKeyPath
        self.sourceMappingName = sourceMappingName
        self.userInfo = userInfo
    }
}
