import CoreDataPredicates
import CoreDataValues
package import Foundation

/// A writer of compiled mapping models (xml-store §3), with Apple's classes and keys.
///
/// Equal documents give equal bytes. It throws a `ModelFileError` for an expression that an archive cannot
/// contain: a closure, or a constant that is an object.
package struct CompiledMappingWriter {
    private let document: MappingDocument
    private var archive = ArchiveBuilder()

    package init(_ document: MappingDocument) {
        self.document = document
    }

    /// Returns the bytes of a `.cdm`.
    package consuming func cdm() throws -> Data {
        let model = archive.reserve()
        let entities = try document.entities.map { (key: $0.name, value: try entity($0)) }
        let byName = entities.sorted(byCodePointsOf: \.key)
        let fields = [
            "NSEntityMappings": archive.collection(entities.map(\.value)),
            "NSEntityMappingsByName": archive.dictionary(byName),
        ]
        archive.fill(model, "NSMappingModel", fields)
        return archive.data(root: model)
    }

    private mutating func entity(_ mapping: EntityMappingElement) throws -> PropertyList {
        let fields = [
            "NSMappingName": archive.string(mapping.name),
            "NSMappingType": .integer(Int64(mapping.kind.rawValue)),
            "NSSourceEntityName": archive.string(mapping.sourceName),
            "NSSourceEntityVersionHash": hash(mapping.sourceHash),
            "NSDestinationEntityName": archive.string(mapping.destinationName),
            "NSDestinationEntityVersionHash": hash(mapping.destinationHash),
            "NSSourceExpression": try expression(mapping.source),
            "NSEntityMigrationPolicyClassName": archive.string(mapping.policyClassName),
            "NSAttributeMappings": try properties(mapping.attributes),
            "NSRelationshipMappings": try properties(mapping.relationships),
            "NSUserInfo": userInfo(mapping.userInfo),
        ]
        return archive.object("NSEntityMapping", fields)
    }

    private mutating func properties(_ mappings: [PropertyMappingElement]) throws -> PropertyList {
        archive.collection(try mappings.map { try property($0) })
    }

    private mutating func property(_ mapping: PropertyMappingElement) throws -> PropertyList {
        let fields = [
            "NSDestinationPropertyName": archive.string(mapping.name),
            "NSValueExpression": try expression(mapping.value),
            "NSPropertyTransforms": ArchiveBuilder.null,
            "NSUserInfo": userInfo(mapping.userInfo),
        ]
        return archive.object("NSPropertyMapping", fields)
    }

    // MARK: Fields

    private mutating func expression(_ node: ExpressionNode?) throws -> PropertyList {
        try node.map { try archive.expression($0) } ?? ArchiveBuilder.null
    }

    private mutating func hash(_ bytes: [UInt8]?) -> PropertyList {
        bytes.map { archive.value(.data(Data($0))) } ?? ArchiveBuilder.null
    }

    private mutating func userInfo(_ entries: [UserInfoEntry]) -> PropertyList {
        entries.isEmpty ? ArchiveBuilder.null : archive.userInfo(entries)
    }
}
