import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A join table of the new model and what it is made of.
struct JoinOrigin {
    enum Origin {
        /// A join table of the store, with its columns' new names by the old ones.
        case kept(String, [String: String])
        case made
    }

    let table: JoinTable
    let master: PropertySlot
    let detail: PropertySlot
    let origin: Origin
    /// Positions that nothing in the store says: the column, and the one whose members it orders.
    let newOrders: [(order: String, owner: String, member: String)]
}

// Relationships: join tables, columns that come from another kind of storage, positions, numbers of entities.
extension MigrationPlanner {
    // MARK: Join tables

    func joinOrigins() -> [JoinOrigin] {
        target.schema.joinTables.map { table in
            let master = evolution.destination.slot(table.masterSlot, of: table.master)
            let detail = master.relationship.flatMap(evolution.destination.inverse) ?? master
            var columns: [String: String]?
            var former: String?
            for side in [master, detail] {
                guard case .join(let name, let owner, let member, _, _)? = finder.storage(of: side),
                    case .join(_, let newOwner, let newMember, _, _)? = storage(of: side)
                else { continue }
                former = name
                columns = [owner: newOwner, member: newMember]
            }
            var orders: [(order: String, owner: String, member: String)] = []
            for side in PropertyID(master) == PropertyID(detail) ? [master] : [master, detail] {
                guard case .join(_, let owner, let member, let order?, _)? = storage(of: side) else {
                    continue
                }
                if case .join(_, _, _, let formerOrder?, _)? = finder.storage(of: side) {
                    columns?[formerOrder] = order
                } else {
                    orders.append((order, owner, member))
                }
            }
            if let former, let columns {
                return JoinOrigin(
                    table: table, master: master, detail: detail, origin: .kept(former, columns),
                    newOrders: orders)
            }
            return JoinOrigin(table: table, master: master, detail: detail, origin: .made, newOrders: orders)
        }
    }

    private func storage(of slot: PropertySlot) -> ToManyStorage? {
        target.schema[slot.declaringEntity]?.toMany[slot.index]
    }

    // MARK: Links

    /// Fills what relationships have in another form than before.
    mutating func link(_ joins: [JoinOrigin], _ columns: [String: [TargetColumn]]) throws(StoreError) {
        for join in joins {
            if let relationship = join.master.relationship { try requireOneOrigin(join.master, relationship) }
            try fill(join)
        }
        for layout in target.tables {
            for (property, stored) in layout.stored.sorted(by: { $0.value.name < $1.value.name }) {
                let slot = evolution.destination.slot(property.slot, of: property.entity)
                guard let relationship = slot.relationship else { continue }
                try requireOneOrigin(slot, relationship)
                let parts = columns[layout.name] ?? []
                if !hasSource(stored.name, parts),
                    let inverse = evolution.destination.inverse(of: relationship)
                {
                    try fillKeys(stored.name, of: layout.name, from: inverse)
                }
                numberTargets(stored, of: layout.name, relationship, parts)
                order(stored.orderColumn, by: stored.name, of: layout.name, parts)
            }
            for (property, own) in layout.own.sorted(by: { $0.value.name < $1.value.name }) {
                let slot = evolution.destination.slot(property.slot, of: property.entity)
                let parts = columns[layout.name] ?? []
                if !hasSource(own.name, parts) { try fillKeys(own.name, of: layout.name, from: slot) }
                order(own.orderColumn, by: own.name, of: layout.name, parts)
            }
        }
    }

    private func hasSource(_ name: String, _ columns: [TargetColumn]) -> Bool {
        columns.first { $0.name == name }?.sources.values.contains { $0 != nil } ?? false
    }

    /// Two relationships that become each other's inverse cannot both be followed.
    private func requireOneOrigin(_ slot: PropertySlot, _ relationship: RelationshipSlot) throws(StoreError) {
        guard let inverse = evolution.destination.inverse(of: relationship),
            let former = finder.former(of: slot), let formerInverse = finder.former(of: inverse),
            let old = former.slot.relationship
        else { return }
        let expected = evolution.source.inverse(of: old)
        if expected.map(PropertyID.init) == PropertyID(formerInverse.slot) { return }
        throw StoreError(
            .inexpressible,
            "\(name(of: slot.declaringEntity)).\(slot.name) and \(inverse.name) were not each other's inverse"
        )
    }

    /// Pairs of the key of an owner and of a member, as the store has them by now, that a relationship had.
    private func links(of slot: PropertySlot) throws(StoreError) -> String? {
        guard let former = finder.former(of: slot), let table = source[former.entity] else { return nil }
        guard !moves.changesKeys else {
            throw StoreError(
                .inexpressible, "objects change their keys while relationships change their form")
        }
        if let column = former.slot.column.map({ table.columns[$0] }) {
            let owners = current(table.tableName)
            let key = owners(column.name)
            return "SELECT Z_PK AS o, \(key) AS m FROM \(owners.name) WHERE \(key) NOT NULL"
        }
        switch table.toMany[former.slot.index] {
        case .foreignKey(let name, let column, _, _):
            let members = current(name)
            let key = members(column)
            return "SELECT \(key) AS o, Z_PK AS m FROM \(members.name) WHERE \(key) NOT NULL"
        case .join(let name, let owner, let member, _, _):
            let join = current(name)
            return "SELECT \(join(owner)) AS o, \(join(member)) AS m FROM \(join.name)"
        case nil: return nil
        }
    }

    private mutating func fill(_ join: JoinOrigin) throws(StoreError) {
        if case .made = join.origin {
            for (side, isMaster) in [(join.master, true), (join.detail, false)] {
                guard let links = try links(of: side) else { continue }
                let columns = [join.table.firstColumn, join.table.secondColumn]
                let names = (isMaster ? columns : columns.reversed()).joined(separator: ", ")
                plan.run(
                    "fill the join table \(join.table.name)",
                    SQLFragment(
                        "INSERT OR IGNORE INTO \(join.table.name) (\(names)) SELECT o, m FROM (\(links))"))
                break
            }
        } else if case .kept(let name, let columns) = join.origin {
            let table = current(name)
            let missing = join.table.orderColumns.filter { !columns.values.contains($0) }
            for column in missing {
                plan.run(
                    "add columns", SQLFragment("ALTER TABLE \(table.name) ADD COLUMN \(column) INTEGER"))
            }
            let formerOrders = source.joinTables.first { $0.name == name }?.orderColumns ?? []
            for column in formerOrders where columns[column] == nil {
                plan.run(
                    "drop columns", SQLFragment("ALTER TABLE \(table.name) DROP COLUMN \(table(column))"))
            }
        }
        for (order, owner, member) in join.newOrders {
            self.order(order, by: owner, of: join.table.name, member: member)
        }
    }

    /// Fills the keys that members have of their owners, from what the relationship of the owners had. Of several owners
    /// the last one has the member, as when each takes what is its in turn.
    private mutating func fillKeys(
        _ column: String, of table: String, from slot: PropertySlot
    ) throws(StoreError) {
        guard let links = try links(of: slot) else { return }
        plan.run(
            "follow \(name(of: slot.declaringEntity)).\(slot.name)",
            SQLFragment(
                """
                UPDATE \(table) SET \(column) = l.o FROM (SELECT MAX(o) AS o, m FROM (\(links)) GROUP BY m) l \
                WHERE l.m = \(table).Z_PK
                """))
    }

    /// Says of which entity the objects are that a to-one relationship leads to, where that was clear before.
    private mutating func numberTargets(
        _ stored: StoredColumn, of table: String, _ relationship: RelationshipSlot, _ columns: [TargetColumn]
    ) {
        guard let entity = stored.entityColumn, let destination = target.schema[relationship.destination]
        else { return }
        let isKnown = columns.first { $0.name == entity }?.sources.allSatisfy { index, source in
            moves.moves[index] == nil || source != nil
        }
        if isKnown == true { return }
        plan.run(
            "note the entities that \(stored.name) leads to",
            SQLFragment(
                """
                UPDATE \(table) SET \(entity) = (SELECT d.Z_ENT FROM \(destination.tableName) d \
                WHERE d.Z_PK = \(table).\(stored.name)) WHERE \(stored.name) NOT NULL AND \(entity) IS NULL
                """))
    }

    // MARK: Positions

    private mutating func order(
        _ column: String?, by key: String, of table: String, _ columns: [TargetColumn]
    ) {
        guard let column, !hasSource(column, columns) else { return }
        order(column, by: key, of: table, member: NameMangling.key)
    }

    /// Members of what becomes ordered are in the order of their keys (sqlite-store §7).
    private mutating func order(_ column: String, by key: String, of table: String, member: String) {
        plan.run(
            "order by \(column)",
            SQLFragment(
                """
                UPDATE \(table) SET \(column) = p.n FROM (SELECT rowid AS r, 1024 + 1024 * ROW_NUMBER() \
                OVER (PARTITION BY \(key) ORDER BY \(member)) AS n FROM \(table) WHERE \(key) NOT NULL) p \
                WHERE p.r = \(table).rowid
                """))
    }
}
