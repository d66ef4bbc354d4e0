package import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// A compiler of mapping models that does what Xcode's compiler does: it adds names, types, the hashes of the
/// entities, and the expressions that the author left to the compiler (xml-store §3).
package struct MappingCompiler {
    package struct Result: Sendable {
        package let document: MappingDocument
        /// The warnings about mappings that are left out, and about properties that get no value.
        package let diagnostics: [Diagnostic]
    }

    private let mapping: MappingSource
    private let source: Side
    private let destination: Side
    private var diagnostics: [Diagnostic] = []

    /// The source or the destination model.
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

    /// Compiles the two models; throws a `ModelFileError` if one of them has mistakes.
    package init(_ mapping: MappingSource, source: ModelVersion, destination: ModelVersion) throws {
        self.mapping = mapping
        self.source = try Side(source)
        self.destination = try Side(destination)
    }

    /// Compiles the mapping; throws a `ModelFileError` if two entity mappings have the same name, or an
    /// entity is not in its model.
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
            element.attributes.append(compiled(property, attributeValue(property, from, entity)))
        }
        for property in entity.relationships {
            let slot = to.slot(named: property.name)?.relationship
            guard exists(property, slot != nil, entity), let slot else { continue }
            element.relationships.append(
                compiled(property, relationshipValue(property, slot, from, entity)))
        }
        return element
    }

    /// Returns the type that Xcode gives the mapping, as inferred from known compiled mappings: copy if
    /// source and destination entity have the same name, even if the entity changed; custom if there is a
    /// policy.
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

    /// Returns whether the destination has the property, and reports a property that it lacks.
    private mutating func exists(
        _ property: PropertyMappingSource, _ exists: Bool, _ entity: EntityMappingSource
    ) -> Bool {
        if !exists {
            report("the destination has no such property: its mapping is left out", property, entity)
        }
        return exists
    }

    private func compiled(
        _ property: PropertyMappingSource, _ value: ExpressionNode?
    ) -> PropertyMappingElement {
        PropertyMappingElement(name: property.name, value: value, userInfo: property.userInfo)
    }

    /// Returns the expression for an attribute: the one that the author wrote, or the source's value at the
    /// path that the author chose, or in the attribute of the same name.
    private mutating func attributeValue(
        _ property: PropertyMappingSource, _ source: CompiledEntity?, _ entity: EntityMappingSource
    ) -> ExpressionNode? {
        if let value = property.value { return value }
        guard property.isGenerated else { return nil }
        let path = property.sourceKeyPath ?? property.name
        if slot(at: path, from: source)?.attribute != nil { return MappingExpression.sourceValue(path) }
        reportPath(of: property, "attribute", entity)
        return nil
    }

    /// Returns the expression for a relationship: the one that the author wrote, or one that finds the
    /// destination objects made from the source's related objects. These are at the path that the author
    /// chose, or in the relationship of the same name.
    ///
    /// The destination objects are those of the mapping that the author chose, otherwise of the only mapping
    /// that makes objects of the relationship's destination, otherwise of all mappings.
    private mutating func relationshipValue(
        _ property: PropertyMappingSource, _ relationship: RelationshipSlot, _ source: CompiledEntity?,
        _ entity: EntityMappingSource
    ) -> ExpressionNode? {
        if let value = property.value { return value }
        guard property.isGenerated else { return nil }
        let path = property.sourceKeyPath ?? property.name
        let isItself = path.isEmpty && source != nil
        guard isItself || slot(at: path, from: source)?.relationship != nil else {
            reportPath(of: property, "relationship", entity)
            return nil
        }
        if let name = property.sourceMappingName {
            if !mapping.entities.contains(where: { $0.mappingName == name }) {
                report("there is no mapping \"\(name)\", to whose objects it should lead", property, entity)
            }
            return MappingExpression.destinations(ofMapping: name, at: path)
        }
        let family = destination.model[relationship.destination].family
        let mappings = mapping.entities.filter { entity in
            guard entity.sourceName != nil, let name = entity.destinationName else { return false }
            return destination.model.entity(named: name).map { family.contains($0.index) } ?? false
        }
        return mappings.count == 1
            ? MappingExpression.destinations(ofMapping: mappings[0].mappingName, at: path)
            : MappingExpression.destinations(ofRelationship: path, at: path)
    }

    /// Returns the property at the end of a path through relationships of the source; nil if the path does
    /// not exist.
    private func slot(at path: String, from entity: CompiledEntity?) -> PropertySlot? {
        var keys = path.split(separator: ".").map(String.init)[...]
        guard var entity, let last = keys.popLast() else { return nil }
        for key in keys {
            guard let next = entity.slot(named: key)?.relationship else { return nil }
            entity = source.model[next.destination]
        }
        return entity.slot(named: last)
    }

    // MARK: Reports

    /// Reports a path that the author chose but the source does not have. A property without such a path is
    /// new, and is not reported.
    private mutating func reportPath(
        of property: PropertyMappingSource, _ kind: String, _ entity: EntityMappingSource
    ) {
        guard let path = property.sourceKeyPath else { return }
        report("the source has no \(kind) at \"\(path)\": it gets no value", property, entity)
    }

    private mutating func report(
        _ message: String, _ property: PropertyMappingSource, _ entity: EntityMappingSource
    ) {
        diagnostics.append(Diagnostic(.warning, at: "\(entity.mappingName).\(property.name)", message))
    }
}
