import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A forecast of what a migration by a copy would find in a store, computed from its present objects.
struct MigrationForecast {
    private let evolution: ModelEvolution
    /// The entities of the store, in either model.
    private let held: Set<EntityIndex>
    private let subset: Set<EntityIndex>?
    private let context: NSManagedObjectContext

    /// Makes a forecast for a store.
    ///
    /// - Parameters:
    ///   - subset: Entities of the new model; nil for all.
    ///   - context: A context that has the store open with the old model.
    init(
        _ evolution: ModelEvolution, _ held: Set<EntityIndex>, _ subset: Set<EntityIndex>?,
        _ context: NSManagedObjectContext
    ) {
        self.evolution = evolution
        self.held = held
        self.subset = subset
        self.context = context
    }

    /// Returns the number of objects by entity of the source, without subentities.
    func objectCounts() throws -> [EntityIndex: Int] {
        var result: [EntityIndex: Int] = [:]
        for entity in evolution.source.entities { result[entity.index] = try count(entity.index, where: nil) }
        return result
    }

    /// Returns the mandatory values that will be missing and the numbers that do not fit, with the count of
    /// objects for each.
    func violations() throws -> [(rule: MigrationViolation, count: Int)] {
        var result: [(rule: MigrationViolation, count: Int)] = []
        for entity in evolution.destination.entities where subset?.contains(entity.index) ?? true {
            guard let former = evolution[entity.index]?.entity, held.contains(former) else { continue }
            for slot in entity.slots where !slot.isTransient {
                for (rule, condition) in rules(of: slot, in: entity) {
                    let count = try count(former, where: condition)
                    guard count > 0 else { continue }
                    let violation = MigrationViolation(entity: entity.name, property: slot.name, rule: rule)
                    result.append((violation, count))
                }
            }
        }
        return result
    }

    private func count(_ entity: EntityIndex, where condition: NSPredicate?) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: evolution.source[entity].name)
        request.includesSubentities = false
        request.predicate = condition
        return try context.count(for: request)
    }

    // MARK: Rules

    /// Returns the conditions that no object may meet.
    private func rules(
        of slot: PropertySlot, in entity: CompiledEntity
    ) -> [(MigrationViolation.Rule, NSPredicate)] {
        let former = evolution.origin(of: slot, in: entity.index)
        guard let attribute = slot.attribute else {
            return missing(slot, former).map { [(.mandatory, $0)] } ?? []
        }
        if attribute.derivation != nil { return [] }
        var result: [(MigrationViolation.Rule, NSPredicate)] = []
        if attribute.defaultValue == .null, attribute.elements.isEmpty, let missing = missing(slot, former) {
            result.append((.mandatory, missing))
        }
        if let former, let outside = outside(attribute, former) { result.append((.range, outside)) }
        return result
    }

    private func missing(_ slot: PropertySlot, _ former: PropertySlot?) -> NSPredicate? {
        guard !slot.isOptional else { return nil }
        if let former {
            return NSPredicate(format: slot.isToMany ? "%K.@count == 0" : "%K == nil", former.name)
        }
        // Destinations are found through the inverse relationship.
        if let inverse = slot.relationship.flatMap(evolution.destination.inverse),
            evolution.origin(of: inverse, in: inverse.declaringEntity) != nil
        {
            return nil
        }
        return NSPredicate(value: true)
    }

    private func outside(_ attribute: AttributeSlot, _ former: PropertySlot) -> NSPredicate? {
        guard former.attribute?.type != attribute.type else { return nil }
        let (lowest, highest): (Int64, Int64)
        switch attribute.type {
        case .integer16: (lowest, highest) = (Int64(Int16.min), Int64(Int16.max))
        case .integer32: (lowest, highest) = (Int64(Int32.min), Int64(Int32.max))
        default: return nil
        }
        // The fraction of a number is dropped.
        return NSPredicate(
            format: "%K <= %lld OR %K >= %lld", former.name, lowest - 1, former.name, highest + 1)
    }
}
