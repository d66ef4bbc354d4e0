import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// Derived attributes that are a function of the row's own text, computed by a statement of the save: a trigger would
/// call functions that Apple's framework does not register, and its stores could not be written any more.
struct DerivedTexts: Sendable {
    let schema: StoreSchema

    private func assignments(_ entity: EntityIndex) -> [String] {
        guard let table = schema[entity] else { return [] }
        let compiled = schema.model[entity]
        return compiled.columns.compactMap { slot in
            guard let column = slot.column,
                case .text(let function, let attribute) = Derivation(slot, of: compiled, in: schema.model),
                let source = attribute.column
            else { return nil }
            return "\(table.columns[column].name) = \(function)(\(table.columns[source].name))"
        }
    }

    /// The rows of a plan with such attributes, by entity, with the statement that computes them for one row: its
    /// only parameter is the key.
    func updates(_ plan: SavePlan) -> [(sql: String, rows: [ObjectReference])] {
        var rows: [EntityIndex: [ObjectReference]] = [:]
        for insertion in plan.inserts {
            rows[insertion.reference.entity, default: []].append(insertion.reference)
        }
        for update in plan.updates where !update.changed.isEmpty {
            rows[update.proposed.reference.entity, default: []].append(update.proposed.reference)
        }
        return rows.keys.sorted().compactMap { entity in
            let assignments = assignments(entity)
            guard !assignments.isEmpty, let table = schema[entity], let references = rows[entity] else {
                return nil
            }
            let list = assignments.joined(separator: ", ")
            return ("UPDATE \(table.tableName) SET \(list) WHERE Z_PK = ?", references)
        }
    }
}
