import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that drops, or puts aside, the columns and tables that the new model does not take over.
///
/// It comes after all phases that read values or links of the store.
struct LeftoverRemoval {
    let change: SchemaChange

    func add(to plan: inout MigrationPlan, _ store: inout EvolvingStore) {
        for (table, columns) in store.leftovers.sorted(by: \.key) {
            for column in columns { remove(column, of: table, &plan, &store) }
        }
        let tables = Set(change.formerEntities.map(\.tableName)).subtracting(change.moves.bases.values)
        let joins = Set(change.source.joinTables.map(\.name)).subtracting(change.joins.compactMap(\.former))
        for table in tables.sorted() + joins.sorted() {
            store.reindex(table)
            if change.isDeferred {
                store.putAside(table, &plan)
            } else {
                plan.run("drop tables", .definition, "DROP TABLE \(store[table].name)")
            }
        }
    }

    private func remove(
        _ column: SQLIdentifier, of table: SQLIdentifier, _ plan: inout MigrationPlan,
        _ store: inout EvolvingStore
    ) {
        for index in change.details.indexes where index.table == table && index.names(column) {
            plan.run("drop indexes", .definition, "DROP INDEX IF EXISTS \(index.name)")
        }
        if change.isDeferred {
            store.putAside(column, of: table, &plan)
        } else {
            drop(column, of: table, &plan, store)
        }
    }

    /// Drops a column.
    ///
    /// Several columns of a table are dropped one by one, each in a pass over its rows. Making the table anew
    /// without them would save some of these passes, but write twice as much to the log and require all of
    /// its indexes to be made again.
    private func drop(
        _ column: SQLIdentifier, of base: SQLIdentifier, _ plan: inout MigrationPlan, _ store: EvolvingStore
    ) {
        let table = store[base]
        let name = table(column)
        if isExternal(column, in: base) {
            plan.releaseFiles("release the files of columns that are gone", name, in: table.name)
        }
        plan.run("drop columns", .scans(table.name), "ALTER TABLE \(table.name) DROP COLUMN \(name)")
    }

    private func isExternal(_ column: SQLIdentifier, in table: SQLIdentifier) -> Bool {
        change.formerEntities.contains { entity in
            entity.tableName == table
                && change.externalColumns(of: entity.entity).contains { $0.name == column }
        }
    }
}
