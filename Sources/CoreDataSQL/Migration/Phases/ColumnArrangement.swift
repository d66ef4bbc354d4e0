import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that renames the columns which the new model takes over, and adds its other columns, empty.
///
/// It comes after `TableArrangement`, which has renamed the tables. Columns that the new model does not take
/// over stay, under another name if need be, since values are still read from them.
struct ColumnArrangement {
    let change: SchemaChange

    func add(to plan: inout MigrationPlan, _ store: inout EvolvingStore) {
        for table in change.tables {
            if let base = table.base { arrange(table, madeOf: base, &plan, &store) }
        }
    }

    private func arrange(
        _ table: TargetTable, madeOf base: SQLIdentifier, _ plan: inout MigrationPlan,
        _ store: inout EvolvingStore
    ) {
        let added = table.added
        store.renameColumns(of: base, table.carried, wanted: Set(added.map(\.name)), &plan)
        for column in added {
            plan.run(
                "add columns", .definition,
                "ALTER TABLE \(table.name) ADD COLUMN \(column.name) \(change.dialect.type(of: column.type))"
            )
        }
        let displaced = store[base].renamedColumns.filter { table.carried[$0] == nil }
        let leftovers = ownedColumns(of: base).union(displaced).subtracting(table.carried.keys).sorted()
        store.leftovers[base] = leftovers
        if !added.isEmpty || !leftovers.isEmpty { store.reindex(base) }
        clearStrangers(table, &plan)
    }

    /// Clears columns that the new model takes over, in rows that had another property there.
    private func clearStrangers(_ table: TargetTable, _ plan: inout MigrationPlan) {
        let formers = Dictionary(uniqueKeysWithValues: table.carried.map { ($0.value, $0.key) })
        for column in table.columns {
            guard let former = formers[column.name] else { continue }
            let strangers = column.sources.keys.filter { entity in
                guard let move = change.moves.moves[entity], column.sources[entity] == .some(nil) else {
                    return false
                }
                return move.copiedWithOffset == nil && columns(of: move.source).contains(former)
            }
            if strangers.isEmpty { continue }
            plan.run(
                "clear values of columns that have another meaning", .scans(table.name),
                "UPDATE \(table.name) SET \(column.name) = NULL\(change.rows(of: strangers))")
        }
    }

    /// Returns the columns of a table of the store that belong to its model.
    private func ownedColumns(of table: SQLIdentifier) -> Set<SQLIdentifier> {
        var result: Set<SQLIdentifier> = []
        for entity in change.formerEntities {
            if entity.tableName == table { result.formUnion(columns(of: entity.entity)) }
            for case .foreignKey(table, let column, let order, true) in entity.toMany.values {
                result.insert(column)
                if let order { result.insert(order) }
            }
        }
        return result
    }

    /// Returns the columns that rows of an entity of the store have.
    private func columns(of entity: EntityIndex) -> Set<SQLIdentifier> {
        Set(
            (change.source[entity]?.columns ?? []).flatMap { column in
                column.valueNames + [column.entityColumn, column.orderColumn].compactMap { $0 }
            })
    }
}
