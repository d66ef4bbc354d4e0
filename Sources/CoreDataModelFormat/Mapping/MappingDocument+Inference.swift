import CoreDataPredicates
import CoreDataValues
import Foundation

extension MappingDocument {
    /// Makes the inferred mapping: an entity mapping for each entity of either version, which copies every
    /// property that has an origin.
    ///
    /// The names are those that Apple's framework gives to inferred mappings.
    package init(_ evolution: ModelEvolution) {
        let inference = MappingInference(evolution)
        self.init(entities: inference.mappings)
    }
}

private struct MappingInference {
    let evolution: ModelEvolution
    private let sourceHashes: [String: Data]
    private let destinationHashes: [String: Data]

    init(_ evolution: ModelEvolution) {
        self.evolution = evolution
        sourceHashes = evolution.source.versionHashes.byEntity
        destinationHashes = evolution.destination.versionHashes.byEntity
    }

    var mappings: [EntityMappingElement] {
        let gone = evolution.source.entities.filter { evolution.successor(of: $0.index) == nil }
        return evolution.destination.entities.map(mapping) + gone.map(removal)
    }

    private func mapping(of entity: CompiledEntity) -> EntityMappingElement {
        let hash = destinationHashes[entity.name].map { [UInt8]($0) }
        guard let origin = evolution[entity.index] else {
            return EntityMappingElement(
                name: "IEM_Add_\(entity.name)", kind: .add, destinationName: entity.name,
                destinationHash: hash)
        }
        let source = evolution.source[origin.entity]
        let formerHash = sourceHashes[source.name].map { [UInt8]($0) }
        var mapping = EntityMappingElement(
            name: name(of: entity, from: source), kind: kind(of: entity, from: source),
            sourceName: source.name, sourceHash: formerHash, destinationName: entity.name,
            destinationHash: hash)
        for slot in entity.slots where !slot.isTransient && slot.attribute?.derivation == nil {
            let former = origin.slots[slot.index].map { source.slots[$0].name }
            switch slot.kind {
            case .attribute:
                mapping.attributes.append(
                    PropertyMappingElement(name: slot.name, value: former.map(MappingExpression.sourceValue)))
            case .relationship:
                mapping.relationships.append(
                    PropertyMappingElement(
                        name: slot.name,
                        value: former.map { MappingExpression.destinations(ofRelationship: $0, at: $0) }))
            case .fetchedProperty: break
            }
        }
        return mapping
    }

    private func removal(of entity: CompiledEntity) -> EntityMappingElement {
        EntityMappingElement(
            name: "IEM_Remove_\(entity.name)", kind: .remove, sourceName: entity.name,
            sourceHash: sourceHashes[entity.name].map { [UInt8]($0) })
    }

    private func kind(of entity: CompiledEntity, from source: CompiledEntity) -> EntityMappingElement.Kind {
        sourceHashes[source.name] == destinationHashes[entity.name] ? .copy : .transform
    }

    private func name(of entity: CompiledEntity, from source: CompiledEntity) -> String {
        kind(of: entity, from: source) == .copy ? "IEM_Copy_\(entity.name)" : "IEM_Transform_\(entity.name)"
    }
}
