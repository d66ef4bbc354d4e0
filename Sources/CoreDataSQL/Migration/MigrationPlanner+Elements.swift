import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

// Elements of composite attributes. A composite is nil if none of its elements has a value, and stays nil:
// only one that has a value gets the defaults of elements that are new or have become mandatory.
extension MigrationPlanner {
    mutating func fillElement(
        _ column: TargetColumn, _ slot: PropertySlot, _ attribute: AttributeSlot, at path: [String],
        of layout: TableLayout, _ columns: [TargetColumn]
    ) {
        var needs: [ElementNeed: [EntityIndex]] = [:]
        for entity in column.sources.keys where moves.moves[entity] != nil {
            if evolution.destination[entity].isAbstract { continue }
            guard let need = need(of: path, slot, in: entity, columns) else { continue }
            needs[need, default: []].append(entity)
        }
        let value = storedDefault(of: attribute, at: path, slot)
        for (need, entities) in needs.sorted(by: { $0.value.min()! < $1.value.min()! }) {
            let missing: SQLText? = need.isNew ? nil : "\(column.name) IS NULL"
            let conditions = [missing, need.presence].compactMap { $0 }
            let rows = rows(
                of: entities, and: conditions.isEmpty ? nil : conditions.joined(separator: " AND "))
            if let value {
                noteChange(of: layout)
                plan.run(
                    "give \(column.name) its default", .scans(layout.name),
                    "UPDATE \(layout.name) SET \(column.name) = \(bind: value)\(rows)")
            } else if need.isMandatory {
                for entity in entities.sorted() {
                    let conditions = ["\(column.name) IS NULL", need.presence].compactMap { $0 }
                    let rows = self.rows(of: [entity], and: conditions.joined(separator: " AND "))
                    plan.require(
                        .mandatory, name(of: entity), ([slot.name] + path).joined(separator: "."),
                        none: "SELECT COUNT(*) FROM \(layout.name)\(rows)")
                }
            }
        }
        if !slot.isOptional, path == slot.attribute?.leaves.last?.path {
            requireElements(of: slot, layout, columns)
        }
    }

    /// The lack of an element in rows that had the composite.
    private struct ElementNeed: Hashable {
        let isNew: Bool
        let isMandatory: Bool
        /// The condition that the composite it belongs to has a value; nil where it always has one, or the
        /// default is for all rows.
        let presence: SQLText?
    }

    /// Returns what an element lacks; nil if it lacks nothing.
    private func need(
        of path: [String], _ slot: PropertySlot, in entity: EntityIndex, _ columns: [TargetColumn]
    ) -> ElementNeed? {
        guard var new = slot.attribute, let leaf = element(at: path, of: new) else { return nil }
        guard var old = evolution.origin(of: slot, in: entity)?.attribute else {
            // The attribute is new: it gets the default in all rows, as in a new object.
            return ElementNeed(isNew: true, isMandatory: false, presence: nil)
        }
        var presence = slot.isOptional ? self.presence(of: slot, at: [], in: entity, columns) : nil
        for (depth, name) in path.enumerated() {
            if presence == "" { return nil }
            guard let element = new.elements.first(where: { $0.name == name }) else { return nil }
            guard let origin = new.elementOrigins(in: old)[name] else {
                let isMandatory = !leaf.isOptional && depth == path.count - 1
                return ElementNeed(isNew: true, isMandatory: isMandatory, presence: presence)
            }
            if depth == path.count - 1 {
                if element.isOptional || !origin.isOptional { return nil }
                return ElementNeed(isNew: false, isMandatory: true, presence: presence)
            }
            if element.isOptional {
                presence = self.presence(of: slot, at: Array(path[...depth]), in: entity, columns)
            }
            (new, old) = (element.attribute, origin.attribute)
        }
        return nil
    }

    private func element(at path: [String], of attribute: AttributeSlot) -> CompositeElementSlot? {
        guard let last = path.last else { return nil }
        return attribute.element(at: path.dropLast())?.elements.first { $0.name == last }
    }

    /// Returns the condition that anything of a composite has been carried over; empty if nothing can have
    /// been.
    private func presence(
        of slot: PropertySlot, at prefix: [String], in entity: EntityIndex, _ columns: [TargetColumn]
    ) -> SQLText {
        let carried = columns.filter { column in
            guard case .value(let other, _, let path) = column.role, !path.isEmpty else { return false }
            return PropertyID(other) == PropertyID(slot) && path.starts(with: prefix)
                && (column.sources[entity] ?? nil) != nil
        }
        if carried.isEmpty { return "" }
        return "(\(carried.map { "\($0.name) NOT NULL" }.joined(separator: " OR ")))"
    }

    /// Requires that a mandatory composite has a value in one element at least.
    private mutating func requireElements(
        of slot: PropertySlot, _ layout: TableLayout, _ columns: [TargetColumn]
    ) {
        let leaves = columns.filter { column in
            guard case .value(let other, _, _) = column.role else { return false }
            return PropertyID(other) == PropertyID(slot)
        }
        let isEmpty = leaves.map { "\($0.name) IS NULL" as SQLText }.joined(separator: " AND ")
        for entity in (leaves.first?.sources.keys.sorted() ?? []) where moves.moves[entity] != nil {
            if evolution.origin(of: slot, in: entity)?.isOptional == false { continue }
            plan.require(
                .mandatory, name(of: entity), slot.name,
                none: "SELECT COUNT(*) FROM \(layout.name)\(rows(of: [entity], and: isEmpty))")
        }
    }
}
