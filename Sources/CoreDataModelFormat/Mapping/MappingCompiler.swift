import CoreDataPredicates
import CoreDataValues
import Foundation

/// Makes of an authored mapping what Xcode's compiler makes of it: names, types, hashes of the entities, and the expressions
/// that the author left to it (xml-store §3).
package struct MappingCompiler {
    package struct Result: Sendable {
        package let document: MappingDocument
        /// What is left out, since the destination has no such property.
        package let diagnostics: [Diagnostic]
    }

    private let mapping: MappingSource
    private let source: Side
    private let destination: Side
    private var diagnostics: [Diagnostic] = []

    /// One of the two models.
    private struct Side {
        let model: CompiledModel

        init(_ version: ModelVersion) throws {
            do {
                model = try ModelCompiler(version.document).compile()
            } catch {
                throw ModelFileError(version.locations.file ?? version.name, .inexpressible("\(error)"))
            }
        }

        func hash(of entity: String?) -> [UInt8]? {
            entity.flatMap { model.versionHashes.byEntity[$0] }.map { [UInt8]($0) }
        }
    }

    /// Throws a `ModelFileError` if one of the models has mistakes.
    package init(_ mapping: MappingSource, source: ModelVersion, destination: ModelVersion) throws {
        self.mapping = mapping
        self.source = try Side(source)
        self.destination = try Side(destination)
    }

    /// Throws a `ModelFileError` if two mappings have one name or an entity is in neither model.
    package consuming func compile() throws -> Result {
        var names: Set<String> = []
        var entities: [EntityMappingElement] = []
        for entity in mapping.entities {
            guard names.insert(entity.mappingName).inserted else {
                throw ModelFileError("", .unmappable("two mappings are called \"\(entity.mappingName)\""))
            }
            entities.append(try compile(entity))
        }
        return Result(document: MappingDocument(entities: entities), diagnostics: diagnostics)
    }

    private mutating func compile(_ entity: EntityMappingSource) throws -> EntityMappingElement {
        let from = try self.entity(entity.sourceName, in: source.model, "source")
        let to = try self.entity(entity.destinationName, in: destination.model, "destination")
        let kind = entity.kind ?? Self.kind(of: entity)
        var element = EntityMappingElement(
            name: entity.mappingName,
            kind: kind,
            sourceName: entity.sourceName,
            sourceHash: source.hash(of: entity.sourceName),
            destinationName: entity.destinationName,
            destinationHash: destination.hash(of: entity.destinationName),
            policyClassName: entity.policyClassName,
            userInfo: entity.userInfo)
        if kind != .remove {
            element.source =
                entity.source ?? entity.sourceName.map { MappingExpression.sources(ofEntity: $0) }
        }
        guard let to else { return element }
        for property in entity.attributes {
            guard exists(property, to.slot(named: property.name)?.attribute != nil, entity) else { continue }
            element.attributes.append(compiled(property, attributeValue(property, from)))
        }
        for property in entity.relationships {
            let slot = to.slot(named: property.name)?.relationship
            guard exists(property, slot != nil, entity), let slot else { continue }
            element.relationships.append(compiled(property, relationshipValue(property, slot, from)))
        }
        return element
    }

    /// What Xcode gives, judging by what it has compiled: objects of one entity in both models are copied, whether or not the
    /// entity has changed; a policy makes any mapping custom.
    private static func kind(of entity: EntityMappingSource) -> EntityMappingElement.Kind {
        if entity.policyClassName != nil { return .custom }
        guard let source = entity.sourceName else { return .add }
        guard let destination = entity.destinationName else { return .remove }
        return source == destination ? .copy : .transform
    }

    private func entity(_ name: String?, in model: CompiledModel, _ side: String) throws -> CompiledEntity? {
        guard let name else { return nil }
        guard let entity = model.entity(named: name) else {
            throw ModelFileError("", .unmappable("the \(side) model has no entity \"\(name)\""))
        }
        return entity
    }

    // MARK: Properties

    /// Whether the destination has the property; if not, it is reported.
    private mutating func exists(
        _ property: PropertyMappingSource, _ exists: Bool, _ entity: EntityMappingSource
    ) -> Bool {
        if !exists {
            let message = "the destination has no such property: its mapping is left out"
            diagnostics.append(Diagnostic(.warning, at: "\(entity.mappingName).\(property.name)", message))
        }
        return exists
    }

    private func compiled(
        _ property: PropertyMappingSource, _ value: ExpressionNode?
    ) -> PropertyMappingElement {
        PropertyMappingElement(name: property.name, value: value, userInfo: property.userInfo)
    }

    /// The value of the attribute of that name, if the source has one.
    private func attributeValue(
        _ property: PropertyMappingSource, _ source: CompiledEntity?
    ) -> ExpressionNode? {
        if let value = property.value { return value }
        guard property.isGenerated, source?.slot(named: property.name)?.attribute != nil else { return nil }
        return MappingExpression.sourceValue(property.name)
    }

    /// What became of the objects that the source has in the relationship of that name, if it has one: of one mapping, if
    /// only one makes objects of the relationship's destination.
    private func relationshipValue(
        _ property: PropertyMappingSource, _ relationship: RelationshipSlot, _ source: CompiledEntity?
    ) -> ExpressionNode? {
        if let value = property.value { return value }
        let key = property.sourceKeyPath ?? property.name
        guard property.isGenerated, source?.slot(named: Self.firstKey(key))?.relationship != nil else {
            return nil
        }
        if let name = property.sourceMappingName {
            return MappingExpression.destinations(ofMapping: name, at: key)
        }
        let family = destination.model[relationship.destination].family
        let mappings = mapping.entities.filter { entity in
            guard entity.sourceName != nil, let name = entity.destinationName else { return false }
            return destination.model.entity(named: name).map { family.contains($0.index) } ?? false
        }
        return mappings.count == 1
            ? MappingExpression.destinations(ofMapping: mappings[0].mappingName, at: key)
            : MappingExpression.destinations(ofRelationship: key, at: key)
    }

    private static func firstKey(_ keyPath: String) -> String {
        keyPath.split(separator: ".").first.map(String.init) ?? keyPath
    }
}
