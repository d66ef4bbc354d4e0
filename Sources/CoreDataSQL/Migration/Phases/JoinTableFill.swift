import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that fills new join tables, and new positions in others.
///
/// It comes after `KeyShift`, since keys in a join table do not tell their entities, by which they would be
/// shifted, and before the removal of copied rows, from which it reads links.
struct JoinTableFill {
    let change: SchemaChange
    let store: EvolvingStore

    func add(to plan: inout MigrationPlan) {
        for join in change.joins {
            var known: SQLIdentifier?
            switch join.origin {
            case .made: known = fill(join, &plan)
            case .kept(let name, let columns): arrangePositions(of: join, madeOf: name, columns, &plan)
            }
            for (order, owner, member) in join.newOrders where order != known {
                plan.order(
                    order, by: owner, of: join.table.name, member: member, in: change.dialect)
            }
        }
    }

    /// Fills a new join table. Returns its column for the positions that the store has; nil if there are
    /// none.
    private func fill(_ join: JoinOrigin, _ plan: inout MigrationPlan) -> SQLIdentifier? {
        let sides = [(join.master, true), (join.detail, false)].compactMap { side, isMaster in
            FormerLinks(of: side, change, store).map { (links: $0, isMaster: isMaster) }
        }
        // Each side has all pairs, but only an ordered one has positions.
        guard let (links, isMaster) = sides.first(where: \.links.hasOrder) ?? sides.first else { return nil }
        let keys = [join.table.firstColumn, join.table.secondColumn]
        let names = (isMaster ? keys : keys.reversed()) + [links.order].compactMap { $0 }
        let selected: SQLText = links.order == nil ? "o, m" : "o, m, p"
        plan.run(
            "fill the join table \(join.table.name)", .copies(from: links.table, to: join.table.name),
            """
            INSERT INTO \(join.table.name) (\(names.joined(separator: ", "))) \
            SELECT \(selected) FROM \(change.dialect.nested(links.select)) WHERE true ON CONFLICT DO NOTHING
            """)
        return links.order
    }

    /// Adds and drops columns of positions in a join table that the new model takes over.
    private func arrangePositions(
        of join: JoinOrigin, madeOf former: SQLIdentifier, _ columns: [SQLIdentifier: SQLIdentifier],
        _ plan: inout MigrationPlan
    ) {
        let table = store[former]
        for column in join.table.orderColumns where !columns.values.contains(column) {
            plan.run(
                "add columns", .definition,
                "ALTER TABLE \(table.name) ADD COLUMN \(column) \(change.dialect.type(of: .number))")
        }
        let formerOrders = change.source.joinTables.first { $0.name == former }?.orderColumns ?? []
        for column in formerOrders where columns[column] == nil {
            plan.run(
                "drop columns", .scans(table.name),
                "ALTER TABLE \(table.name) DROP COLUMN \(table(column))")
        }
    }
}
