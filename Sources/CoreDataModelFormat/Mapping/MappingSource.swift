package import CoreDataPredicates

/// A mapping model as authored: what an `.xcmappingmodel` says before its two models are looked at (xml-store §3).
package struct MappingSource: Sendable, Hashable {
    /// Paths of the `.xcdatamodel` folders, below the folder of the Xcode project that the mapping was made in.
    package var sourceModelPath: String
    package var destinationModelPath: String
    /// In the order of the editor.
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
    /// Nil for the name that the compiler gives: `PersonToPerson`.
    package var name: String?
    /// Nil where the compiler finds it out, as Xcode always has it do.
    package var kind: EntityMappingElement.Kind?
    package var sourceName: String?
    package var destinationName: String?
    package var policyClassName: String?
    /// Nil for all objects of the source entity.
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

    /// The name that the compiled mapping has, and that expressions of others call it by.
    package var mappingName: String {
        if let name { return name }
        guard let sourceName else { return destinationName ?? "" }
        return destinationName.map { "\(sourceName)To\($0)" } ?? sourceName
    }
}

package struct PropertyMappingSource: Sendable, Hashable {
    package var name: String
    /// What the author wrote, or the editor generated of what he chose.
    package var value: ExpressionNode?
    /// Whether the compiler finds a value where there is none.
    package var isGenerated: Bool
    /// Where the source object has what the property comes from, the empty path being the source object
    /// itself; nil for the property's own name.
    package var sourceKeyPath: String?
    /// The mapping whose results a relationship leads to; nil where the compiler finds it out.
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
