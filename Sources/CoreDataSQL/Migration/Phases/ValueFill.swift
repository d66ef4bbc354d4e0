import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that gives defaults to properties that are new or have become mandatory, and checks the rules of
/// the new model.
///
/// It comes after all values and relationships from the store have reached their place, and the originals of
/// copied rows are removed, since defaults go to rows without a value, and rules are checked for all rows of
/// a table.
struct ValueFill {
    let change: SchemaChange

    private var rules: RuleChecks { RuleChecks(change: change) }

    func add(to plan: inout MigrationPlan, _ store: inout EvolvingStore) {
        for table in change.tables {
            rules.requireNoAbstractObjects(in: table, &plan)
            for column in table.columns { fill(column, of: table, &plan, &store) }
        }
    }

    private func fill(
        _ column: TargetColumn, of table: TargetTable, _ plan: inout MigrationPlan,
        _ store: inout EvolvingStore
    ) {
        switch column.role {
        case .value(let slot, let attribute, let path):
            guard attribute.derivation == nil else { return }
            if path.isEmpty {
                fillDefaults(column, slot, attribute, of: table, &plan, &store)
                if !slot.isOptional { rules.requireValues(column, slot, of: table, &plan) }
            } else {
                ElementFill(change: change, table: table, slot: slot)
                    .add(column, attribute, at: path, to: &plan, &store)
            }
            rules.requireRange(column, slot, attribute, at: path, of: table, &plan)
        case .key(let slot):
            if !slot.isOptional { rules.requireValues(column, slot, of: table, &plan) }
        case .entity, .order, .ownKey, .ownOrder: break
        }
    }

    private func fillDefaults(
        _ column: TargetColumn, _ slot: PropertySlot, _ attribute: AttributeSlot, of table: TargetTable,
        _ plan: inout MigrationPlan, _ store: inout EvolvingStore
    ) {
        guard let value = change.storedDefault(of: attribute, at: [], slot) else { return }
        let bound: SQLFragment = "\(bind: value, as: .attribute(attribute.type))"
        func give(_ rows: SQLText) {
            plan.run(
                "give \(column.name) its default", .scans(table.name),
                "UPDATE \(table.name) SET \(column.name) = \(bound)\(rows)")
        }
        let (new, optional) = change.receivers(of: column)
        if !new.isEmpty { give(change.rows(of: new)) }
        guard !slot.isOptional, !optional.isEmpty else { return }
        if let base = table.base { store.reindex(base) }
        give(change.rows(of: optional, and: "\(column.name) IS NULL"))
    }
}
