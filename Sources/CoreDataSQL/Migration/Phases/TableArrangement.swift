import CoreDataStore

/// The phase that renames the tables which the new model takes over, and makes its other tables.
///
/// It comes after the phases that use the store's names of tables. Columns of entities are left to
/// `ColumnArrangement`.
struct TableArrangement {
    let change: SchemaChange

    func add(to plan: inout MigrationPlan, _ store: inout EvolvingStore) {
        rename(&plan, &store)
        for table in change.tables where table.base == nil {
            plan.run(
                "make the table of \(change.name(of: table.layout.root))", .creates(table.name),
                table.layout.definition(in: change.dialect))
            for companion in change.dialect.companions(of: table.name) {
                plan.run("make the keys of \(table.name)", .definition, SQLFragment(companion))
            }
        }
        for join in change.joins {
            switch join.origin {
            case .kept(let name, let columns):
                store.renameColumns(of: name, columns, &plan)
                arrangeKey(of: join.table, madeOf: name, columns, &plan)
            case .made:
                plan.run(
                    "make the join table \(join.table.name)", .creates(join.table.name),
                    join.table.definition(in: change.dialect))
            }
        }
    }

    /// Makes the primary key of a join table anew if the other side has become its master. Otherwise no index
    /// would begin with the keys of that side.
    private func arrangeKey(
        of table: JoinTable, madeOf former: SQLIdentifier, _ columns: [SQLIdentifier: SQLIdentifier],
        _ plan: inout MigrationPlan
    ) {
        guard let first = change.source.joinTables.first(where: { $0.name == former })?.firstColumn,
            columns[first] == table.secondColumn,
            let statement = change.dialect.keyArrangement(of: table)
        else { return }
        plan.run("make the key of \(table.name)", .scans(table.name), SQLFragment(statement))
    }

    private func rename(_ plan: inout MigrationPlan, _ store: inout EvolvingStore) {
        var renames: [SQLIdentifier: SQLIdentifier] = [:]
        for table in change.tables { if let base = table.base { renames[base] = table.name } }
        for join in change.joins { if let former = join.former { renames[former] = join.table.name } }
        let wanted = Set(change.tables.map(\.name) + change.joins.map(\.table.name))
        store.renameTables(renames, wanted: wanted, &plan)
    }
}
