import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The steps that fill the elements of a composite attribute, a part of `ValueFill`.
///
/// A composite is nil if none of its elements has a value, and stays nil: only one that has a value gets the
/// defaults of elements that are new or have become mandatory.
struct ElementFill {
    let change: SchemaChange
    let table: TargetTable
    let slot: PropertySlot

    /// Fills the column of an element; with the last one, requires that a mandatory composite has a value.
    func add(
        _ column: TargetColumn, _ attribute: AttributeSlot, at path: [String], to plan: inout MigrationPlan,
        _ store: inout EvolvingStore
    ) {
        let value = change.storedDefault(of: attribute, at: path, slot)
        for (need, entities) in needs(of: column, at: path) {
            if let value {
                if let base = table.base { store.reindex(base) }
                let missing: SQLText? = need.isNew ? nil : "\(column.name) IS NULL"
                let rows = rows(of: entities, missing, need.presence)
                let bound: SQLFragment = "\(bind: value, as: .attribute(attribute.type))"
                plan.run(
                    "give \(column.name) its default", .scans(table.name),
                    "UPDATE \(table.name) SET \(column.name) = \(bound)\(rows)")
            } else if need.isMandatory {
                for entity in entities.sorted() {
                    let rows = rows(of: [entity], "\(column.name) IS NULL", need.presence)
                    plan.require(
                        .mandatory, change.name(of: entity), ([slot.name] + path).joined(separator: "."),
                        none: "SELECT COUNT(*) FROM \(table.name)\(rows)")
                }
            }
        }
        if !slot.isOptional, path == slot.attribute?.leaves.last?.path { requireElements(&plan) }
    }

    private func rows(of entities: [EntityIndex], _ conditions: SQLText?...) -> SQLText {
        let conditions = conditions.compactMap { $0 }
        return change.rows(
            of: entities, and: conditions.isEmpty ? nil : conditions.joined(separator: " AND "))
    }

    /// Requires that a mandatory composite has a value in one element at least.
    private func requireElements(_ plan: inout MigrationPlan) {
        let leaves = table.columns.filter { column in
            guard case .value(let other, _, _) = column.role else { return false }
            return PropertyID(other) == PropertyID(slot)
        }
        let isEmpty = leaves.map { "\($0.name) IS NULL" as SQLText }.joined(separator: " AND ")
        for entity in (leaves.first?.sources.keys.sorted() ?? []) where change.moves.moves[entity] != nil {
            if change.evolution.origin(of: slot, in: entity)?.isOptional == false { continue }
            plan.require(
                .mandatory, change.name(of: entity), slot.name,
                none: "SELECT COUNT(*) FROM \(table.name)\(rows(of: [entity], isEmpty))")
        }
    }

    // MARK: Needs

    /// The reason why an element may have no value in rows of an entity.
    private struct Need: Hashable {
        let isNew: Bool
        let isMandatory: Bool
        /// The condition that the composite has a value; nil if it always has one, or the default is for all
        /// rows.
        let presence: SQLText?
    }

    /// Returns the needs of an element, each with the entities to whose rows it applies.
    private func needs(
        of column: TargetColumn, at path: [String]
    ) -> [(need: Need, entities: [EntityIndex])] {
        var needs: [Need: [EntityIndex]] = [:]
        for entity in column.sources.keys where change.moves.moves[entity] != nil {
            if change.evolution.destination[entity].isAbstract { continue }
            guard let need = need(of: path, in: entity) else { continue }
            needs[need, default: []].append(entity)
        }
        return needs.map { (need: $0.key, entities: $0.value) }
            .sorted { $0.entities.min()! }
    }

    /// Returns the need of an element in rows of an entity; nil if it has its values.
    private func need(of path: [String], in entity: EntityIndex) -> Need? {
        guard var new = slot.attribute, let leaf = element(at: path, of: new) else { return nil }
        guard var old = change.evolution.origin(of: slot, in: entity)?.attribute else {
            // The whole attribute is new and gets its defaults in all rows, as in a new object.
            return Need(isNew: true, isMandatory: false, presence: nil)
        }
        var presence = slot.isOptional ? self.presence(at: [], in: entity) : nil
        for (depth, name) in path.enumerated() {
            if presence == "" { return nil }
            guard let element = new.elements.first(where: { $0.name == name }) else { return nil }
            guard let origin = new.elementOrigins(in: old)[name] else {
                let isMandatory = !leaf.isOptional && depth == path.count - 1
                return Need(isNew: true, isMandatory: isMandatory, presence: presence)
            }
            if depth == path.count - 1 {
                if element.isOptional || !origin.isOptional { return nil }
                return Need(isNew: false, isMandatory: true, presence: presence)
            }
            if element.isOptional { presence = self.presence(at: Array(path[...depth]), in: entity) }
            (new, old) = (element.attribute, origin.attribute)
        }
        return nil
    }

    private func element(at path: [String], of attribute: AttributeSlot) -> CompositeElementSlot? {
        guard let last = path.last else { return nil }
        return attribute.element(at: path.dropLast())?.elements.first { $0.name == last }
    }

    /// Returns the condition that an element of a composite has a value from the store; empty if none can
    /// have.
    private func presence(at prefix: [String], in entity: EntityIndex) -> SQLText {
        let carried = table.columns.filter { column in
            guard case .value(let other, _, let path) = column.role, !path.isEmpty else { return false }
            return PropertyID(other) == PropertyID(slot) && path.starts(with: prefix)
                && (column.sources[entity] ?? nil) != nil
        }
        if carried.isEmpty { return "" }
        return "(\(carried.map { "\($0.name) IS NOT NULL" }.joined(separator: " OR ")))"
    }
}
