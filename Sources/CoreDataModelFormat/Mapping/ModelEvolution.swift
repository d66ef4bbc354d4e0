package import CoreDataValues

/// What becomes of each entity and property between two versions of a model, as names and renaming identifiers tell it.
package struct ModelEvolution: Sendable {
    /// What an entity was, and each of its properties.
    package struct Origin: Sendable, Hashable {
        package let entity: EntityIndex
        /// By slot of the newer entity, the slot of the older one; nil for a property that is new.
        package let slots: [Int?]
    }

    package let source: CompiledModel
    package let destination: CompiledModel
    /// By entity of the destination; nil for one that is new.
    package let origins: [Origin?]
    /// By entity of the source; nil for one that is gone.
    package let successors: [EntityIndex?]

    package init(from source: CompiledModel, to destination: CompiledModel) {
        self.source = source
        self.destination = destination
        let names = destination.entities.map(\.element.versionedName)
            .predecessors(among: source.entities.map(\.element.versionedName))
        var successors = [EntityIndex?](repeating: nil, count: source.entities.count)
        origins = destination.entities.map { entity in
            guard let former = names[entity.name].flatMap(source.entity) else { return nil }
            successors[Int(former.index)] = entity.index
            return Origin(
                entity: former.index,
                slots: Self.slots(of: entity, in: destination, from: former, in: source))
        }
        self.successors = successors
    }

    private static func slots(
        of new: CompiledEntity, in newModel: CompiledModel, from old: CompiledEntity,
        in oldModel: CompiledModel
    ) -> [Int?] {
        let (newNames, oldNames) = (newModel.propertyNames(of: new), oldModel.propertyNames(of: old))
        let attributes = newNames.attributes.predecessors(among: oldNames.attributes)
        let relationships = newNames.relationships.predecessors(among: oldNames.relationships)
        return new.slots.map { slot in
            let former = slot.attribute != nil ? attributes[slot.name] : relationships[slot.name]
            return former.flatMap { old.slotByName[$0] }
        }
    }

    package subscript(_ entity: EntityIndex) -> Origin? { origins[Int(entity)] }

    package func successor(of entity: EntityIndex) -> EntityIndex? { successors[Int(entity)] }

    /// The property that a property of an entity was; nil for a new one, or one of a new entity.
    package func origin(of slot: PropertySlot, in entity: EntityIndex) -> PropertySlot? {
        guard let origin = self[entity], let former = origin.slots[slot.index] else { return nil }
        return source.slot(former, of: origin.entity)
    }
}

extension CompiledModel {
    /// The stored properties of an entity, inherited ones included, by what they are called in all versions. Transient
    /// and fetched properties have nothing that could be carried over.
    fileprivate func propertyNames(
        of entity: CompiledEntity
    ) -> (attributes: [VersionedName], relationships: [VersionedName]) {
        var attributes: [VersionedName] = []
        var relationships: [VersionedName] = []
        for slot in entity.slots where !slot.isTransient {
            let element = self[slot.declaringEntity].element
            switch slot.kind {
            case .attribute:
                attributes += element.attributes.filter { $0.name == slot.name }.map(\.versionedName)
            case .relationship:
                relationships += element.relationships.filter { $0.name == slot.name }.map(\.versionedName)
            case .fetchedProperty: break
            }
        }
        return (attributes, relationships)
    }
}
