import CoreDataModelFormat
import CoreDataValues

// The changes of entities and properties between two versions of a model.
extension StoreMigrationPlan.Entity {
    /// Returns the entities with their changes: those of the new model by name, then those that are removed.
    ///
    /// - Parameters:
    ///   - former: The entities of the store.
    ///   - subset: The entities of the new model that the store is to have.
    ///   - counts: The number of objects of each entity of the store.
    static func all(
        _ evolution: ModelEvolution, from former: Set<EntityIndex>, to subset: Set<EntityIndex>?,
        _ counts: [EntityIndex: Int]
    ) -> [StoreMigrationPlan.Entity] {
        let held = evolution.destination.entities.filter { subset?.contains($0.index) ?? true }
        let origins = Set(held.compactMap { evolution[$0.index]?.entity })
        let hashes = evolution.source.versionHashes.byEntity
        let newHashes = evolution.destination.versionHashes.byEntity
        let remaining = held.map { entity -> Self in
            guard let origin = evolution[entity.index], former.contains(origin.entity) else {
                return Self(name: entity.name, change: .added, objectCount: 0, properties: [])
            }
            let old = evolution.source[origin.entity]
            let isSame = hashes[old.name] == newHashes[entity.name]
            return Self(
                name: entity.name,
                change: old.name != entity.name ? .renamed(from: old.name) : isSame ? .kept : .changed,
                objectCount: counts[old.index] ?? 0,
                properties: StoreMigrationPlan.Property.all(of: entity, old, origin, evolution))
        }
        let removed = former.subtracting(origins).map { index in
            Self(
                name: evolution.source[index].name, change: .removed, objectCount: counts[index] ?? 0,
                properties: [])
        }
        return remaining.sorted(by: \.name) + removed.sorted(by: \.name)
    }
}

extension StoreMigrationPlan.Property {
    fileprivate static func all(
        of entity: CompiledEntity, _ old: CompiledEntity, _ origin: ModelEvolution.Origin,
        _ evolution: ModelEvolution
    ) -> [Self] {
        var result: [Self] = []
        for slot in entity.slots where slot.declaringEntity == entity.index && slot.isStored {
            guard let former = origin.slots[slot.index].map({ old.slots[$0] }) else {
                result.append(Self(name: slot.name, isRelationship: slot.relationship != nil, change: .added))
                continue
            }
            result += changes(of: slot, since: former, evolution).map {
                Self(name: slot.name, isRelationship: slot.relationship != nil, change: $0)
            }
        }
        let carried = Set(origin.slots.compactMap { $0 })
        for slot in old.slots where slot.isStored && !carried.contains(slot.index) {
            // An inherited property is reported for the entity that declared it, if that entity still exists.
            guard slot.declaringEntity == old.index || evolution.successor(of: slot.declaringEntity) == nil
            else { continue }
            result.append(Self(name: slot.name, isRelationship: slot.relationship != nil, change: .removed))
        }
        return result
    }

    private static func changes(
        of slot: PropertySlot, since former: PropertySlot, _ evolution: ModelEvolution
    ) -> [Change] {
        var result: [Change] = []
        if slot.name != former.name { result.append(.renamed(from: former.name)) }
        if let (old, new) = former.attribute.flatMap({ old in slot.attribute.map { (old, $0) } }),
            old.type != new.type
        {
            result.append(
                .converted(
                    from: old.type.editorName ?? "Undefined", to: new.type.editorName ?? "Undefined"))
        }
        if slot.isOptional != former.isOptional {
            result.append(.became(slot.isOptional ? "optional" : "mandatory"))
        }
        if let (old, new) = former.relationship.flatMap({ old in slot.relationship.map { (old, $0) } }) {
            if new.isToMany != old.isToMany { result.append(.became(new.isToMany ? "to-many" : "to-one")) }
            if new.isOrdered != old.isOrdered {
                result.append(.became(new.isOrdered ? "ordered" : "unordered"))
            }
            if evolution.successor(of: old.destination) != new.destination {
                result.append(.became("leads to \(evolution.destination[new.destination].name)"))
            }
            if (new.inverse == nil) != (old.inverse == nil) {
                result.append(.became(new.inverse == nil ? "without inverse" : "with an inverse"))
            }
        }
        if let (old, new) = former.attribute.flatMap({ old in slot.attribute.map { (old, $0) } }) {
            if old.derivation != new.derivation {
                result.append(.became(new.derivation == nil ? "not derived any more" : "derived"))
            }
            if old.allowsExternalStorage != new.allowsExternalStorage {
                result.append(
                    .became(
                        new.allowsExternalStorage ? "with external storage" : "without external storage"))
            }
        }
        return result
    }
}

extension PropertySlot {
    /// Whether stores keep something of the property.
    fileprivate var isStored: Bool { !isTransient && (attribute != nil || relationship != nil) }
}
