package import CoreDataValues

/// The correspondence of entities and properties between two versions of a model, by names and renaming
/// identifiers.
package struct ModelEvolution: Sendable {
    /// The entity from which an entity comes, and the properties from which its properties come.
    package struct Origin: Sendable, Hashable {
        package let entity: EntityIndex
        /// The slot of the older entity, by slot of the newer one; nil for a property that is new.
        package let slots: [Int?]
    }

    package let source: CompiledModel
    package let destination: CompiledModel
    /// The origins by entity of the destination; nil for an entity that is new.
    package let origins: [Origin?]
    /// The successors by entity of the source; nil for an entity that was removed.
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

    /// Returns the property of the older version from which a property comes; nil if it or its entity is new.
    package func origin(of slot: PropertySlot, in entity: EntityIndex) -> PropertySlot? {
        guard let origin = self[entity], let former = origin.slots[slot.index] else { return nil }
        return source.slot(former, of: origin.entity)
    }
}

extension CompiledModel {
    /// Returns the names of an entity's stored properties, including inherited ones, for matching across
    /// versions.
    ///
    /// Transient and fetched properties are left out: they have no values to carry over.
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
