package import CoreDataModelFormat
package import CoreDataValues

/// The numbers of objects and related pairs of each entity and relationship that a migration keeps.
///
/// Comparing a census before the migration with one after it tells whether anything was lost. A pair counts
/// only if the migration keeps both of its objects. A census costs a pass over every table, and a join for
/// each relationship.
package struct MigrationCensus: Sendable, Equatable {
    /// An entity of the new model, or one of its relationships.
    private struct Subject: Hashable {
        let entity: EntityIndex
        let slot: Int?
    }

    /// Two tests whether a store holds an entity: one for the old model's entities, one for the new model's.
    package typealias Holdings = (source: (EntityIndex) -> Bool, target: (EntityIndex) -> Bool)

    private var counts: [Subject: Int] = [:]
    /// Subjects that may have higher numbers after the migration.
    private var growing: Set<Subject> = []

    /// Counts before the migration.
    ///
    /// - Parameters:
    ///   - source: The store before the migration.
    ///   - holds: Which entities of the old model the store has, and which of the new model it is to have.
    package init(
        before evolution: ModelEvolution, _ source: some ObjectCounting, holds: Holdings
    ) throws(StoreError) {
        let objects = try source.objectCounts()
        for entity in Self.entities(of: evolution, holds) {
            guard let origin = evolution[entity] else { continue }
            counts[Subject(entity: entity, slot: nil)] = objects[origin.entity] ?? 0
            for slot in Self.relationships(of: entity, evolution) {
                guard let former = origin.slots[slot.index],
                    let destination = evolution.source.slot(former, of: origin.entity).relationship?
                        .destination
                else { continue }
                if Self.isNewlyPaired(slot, in: entity, evolution) {
                    growing.insert(Subject(entity: entity, slot: slot.index))
                }
                let members = evolution.source[destination].family.filter { member in
                    evolution.successor(of: member).map(holds.target) ?? false
                }
                counts[Subject(entity: entity, slot: slot.index)] = try source.pairCount(
                    of: evolution.source.slot(former, of: origin.entity), in: origin.entity, members,
                    oncePerMember: Self.isNewToOne(slot, evolution))
            }
        }
    }

    /// Counts after the migration.
    ///
    /// - Parameters:
    ///   - target: The store after the migration.
    ///   - holds: Which entities of the old model the store had, and which of the new model it has.
    package init(
        after evolution: ModelEvolution, _ target: some ObjectCounting, holds: Holdings
    ) throws(StoreError) {
        let objects = try target.objectCounts()
        for entity in Self.entities(of: evolution, holds) {
            counts[Subject(entity: entity, slot: nil)] = objects[entity] ?? 0
            for slot in Self.relationships(of: entity, evolution) {
                guard let destination = slot.relationship?.destination else { continue }
                counts[Subject(entity: entity, slot: slot.index)] = try target.pairCount(
                    of: slot, in: entity, Array(evolution.destination[destination].family),
                    oncePerMember: false)
            }
        }
    }

    /// Returns whether the inverse is a new to-one relationship. A member that several objects shared can
    /// keep only one of them, so each member counts once.
    private static func isNewToOne(_ slot: PropertySlot, _ evolution: ModelEvolution) -> Bool {
        guard let inverse = slot.relationship.flatMap(evolution.destination.inverse), inverse.isToOne else {
            return false
        }
        return evolution.destination[inverse.declaringEntity].family.allSatisfy {
            evolution.origin(of: inverse, in: $0) == nil
        }
    }

    /// Returns whether two relationships that were not each other's inverse become so. Each then gets the
    /// pairs of the other, so their numbers may grow.
    private static func isNewlyPaired(
        _ slot: PropertySlot, in entity: EntityIndex, _ evolution: ModelEvolution
    ) -> Bool {
        guard let inverse = slot.relationship.flatMap(evolution.destination.inverse),
            let former = evolution.origin(of: slot, in: entity)?.relationship,
            let formerInverse = evolution.origin(of: inverse, in: inverse.declaringEntity)
        else { return false }
        let expected = evolution.source.inverse(of: former)
        return expected?.index != formerInverse.index
            || expected?.declaringEntity != formerInverse.declaringEntity
    }

    private static func entities(
        of evolution: ModelEvolution, _ holds: Holdings
    ) -> [EntityIndex] {
        evolution.destination.entities.map(\.index).filter { entity in
            holds.target(entity) && evolution[entity].map { holds.source($0.entity) } ?? false
        }
    }

    private static func relationships(
        of entity: EntityIndex, _ evolution: ModelEvolution
    ) -> [PropertySlot] {
        evolution.destination[entity].slots.filter { slot in
            slot.relationship != nil && !slot.isTransient
                && evolution.origin(of: slot, in: entity)?.relationship != nil
        }
    }

    /// Returns the first entity or relationship whose number differs in a later census, entities first; nil
    /// if there is no difference.
    package func difference(to later: MigrationCensus, in model: CompiledModel) -> MigrationViolation? {
        let order = counts.keys.sorted { ($0.slot ?? -1, $0.entity) < ($1.slot ?? -1, $1.entity) }
        let subject = order.first { subject in
            let (count, laterCount) = (counts[subject] ?? 0, later.counts[subject] ?? 0)
            return growing.contains(subject) ? laterCount < count : laterCount != count
        }
        guard let subject else { return nil }
        return MigrationViolation(
            entity: model[subject.entity].name,
            property: subject.slot.map { model.slot($0, of: subject.entity).name },
            rule: .count(before: counts[subject] ?? 0, after: later.counts[subject] ?? 0))
    }
}
