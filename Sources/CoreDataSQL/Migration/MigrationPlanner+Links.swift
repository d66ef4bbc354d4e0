import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A join table of the new model and its origin.
struct JoinOrigin {
    enum Origin {
        /// A join table of the store, with its columns' new names by the old ones.
        case kept(SQLIdentifier, [SQLIdentifier: SQLIdentifier])
        case made
    }

    let table: JoinTable
    let master: PropertySlot
    let detail: PropertySlot
    let origin: Origin
    /// The positions that the store does not have: the column, and the one whose members it orders.
    let newOrders: [(order: SQLIdentifier, owner: SQLIdentifier, member: SQLIdentifier)]
}

// Relationships: join tables, columns that come from another kind of storage, positions, numbers of entities.
extension MigrationPlanner {
    // MARK: Join tables

    func joinOrigins() -> [JoinOrigin] {
        target.schema.joinTables.map { table in
            let master = evolution.destination.slot(table.masterSlot, of: table.master)
            let detail = master.relationship.flatMap(evolution.destination.inverse) ?? master
            var columns: [SQLIdentifier: SQLIdentifier]?
            var former: SQLIdentifier?
            for side in [master, detail] {
                guard case .join(let name, let owner, let member, _, _)? = finder.storage(of: side),
                    case .join(_, let newOwner, let newMember, _, _)? = storage(of: side)
                else { continue }
                former = name
                columns = [owner: newOwner, member: newMember]
            }
            var orders: [(order: SQLIdentifier, owner: SQLIdentifier, member: SQLIdentifier)] = []
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

    /// Fills the relationships that are stored in another form than before.
    mutating func link(_ joins: [JoinOrigin], _ columns: [SQLIdentifier: [TargetColumn]]) throws(StoreError) {
        for join in joins {
            if let relationship = join.master.relationship { try requireOneOrigin(join.master, relationship) }
            fill(join)
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
                    fillKeys(stored.name, of: layout.name, from: inverse)
                    if inverse.isToOne { clearUnanswered(inverse, by: stored.name, of: layout.name) }
                }
                numberTargets(stored, of: layout.name, relationship, parts)
                order(stored.orderColumn, by: stored.name, of: layout.name, parts)
            }
            for (property, own) in layout.own.sorted(by: { $0.value.name < $1.value.name }) {
                let slot = evolution.destination.slot(property.slot, of: property.entity)
                let parts = columns[layout.name] ?? []
                if !hasSource(own.name, parts) { fillKeys(own.name, of: layout.name, from: slot) }
                order(own.orderColumn, by: own.name, of: layout.name, parts)
            }
        }
    }

    private func hasSource(_ name: SQLIdentifier, _ columns: [TargetColumn]) -> Bool {
        columns.first { $0.name == name }?.sources.values.contains { $0 != nil } ?? false
    }

    /// Throws for two relationships that become each other's inverse and were not, since only one of them
    /// could be followed.
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

    /// The links of an old relationship: the key of an owner, the key of a member, and its position there.
    private struct Links {
        let select: SQLText
        let hasOrder: Bool
        /// The table that the links are read from.
        let table: SQLIdentifier

        init(
            _ owner: SQLText, _ member: SQLText, _ order: SQLIdentifier?, from table: SQLIdentifier,
            where key: SQLIdentifier?
        ) {
            let position: SQLText = order.map { "\($0)" } ?? "NULL"
            let condition: SQLText = key.map { " WHERE \($0) NOT NULL" } ?? ""
            select = "SELECT \(owner) AS o, \(member) AS m, \(position) AS p FROM \(table)\(condition)"
            hasOrder = order != nil
            self.table = table
        }
    }

    private func links(of slot: PropertySlot) -> Links? {
        guard let former = finder.former(of: slot), let table = source[former.entity] else { return nil }
        if let column = former.slot.column.map({ table.columns[$0] }) {
            let owners = current(table.tableName)
            let key = owners(column.name)
            return Links(shiftedKey(in: table.tableName), "\(key)", nil, from: owners.name, where: key)
        }
        switch table.toMany[former.slot.index] {
        case .foreignKey(let name, let column, let order, _):
            let members = current(name)
            let key = members(column)
            return Links(
                "\(key)", shiftedKey(in: name), order.map { members($0) }, from: members.name, where: key)
        case .join(let name, let owner, let member, let order, _):
            let join = current(name)
            return Links(
                "\(join(owner))", "\(join(member))", order.map { join($0) }, from: join.name, where: nil)
        case nil: return nil
        }
    }

    /// Returns the column for the positions that a relationship had, where it is ordered now.
    private func order(of slot: PropertySlot, _ links: Links) -> SQLIdentifier? {
        guard links.hasOrder, slot.relationship?.isOrdered == true else { return nil }
        switch storage(of: slot) {
        case .foreignKey(_, _, let order, _): return order
        case .join(_, _, _, let order, _): return order
        case nil: return nil
        }
    }

    private mutating func fill(_ join: JoinOrigin) {
        var newOrders = join.newOrders
        if case .made = join.origin {
            let sides = [(join.master, true), (join.detail, false)].compactMap { side, isMaster in
                links(of: side).map { (side: side, isMaster: isMaster, links: $0) }
            }
            // Each side has all pairs, but only an ordered one has positions.
            if let (side, isMaster, links) = sides.first(where: \.links.hasOrder) ?? sides.first {
                let keys = [join.table.firstColumn, join.table.secondColumn]
                let order = order(of: side, links)
                let names = ((isMaster ? keys : keys.reversed()) + [order].compactMap { $0 }).joined(
                    separator: ", ")
                let selected: SQLText = order == nil ? "o, m" : "o, m, p"
                plan.run(
                    "fill the join table \(join.table.name)", .copies(from: links.table, to: join.table.name),
                    """
                    INSERT OR IGNORE INTO \(join.table.name) (\(names)) \
                    SELECT \(selected) FROM (\(links.select))
                    """)
                newOrders.removeAll { $0.order == order }
            }
        } else if case .kept(let name, let columns) = join.origin {
            let table = current(name)
            let missing = join.table.orderColumns.filter { !columns.values.contains($0) }
            for column in missing {
                plan.run(
                    "add columns", .definition,
                    SQLFragment("ALTER TABLE \(table.name) ADD COLUMN \(column) INTEGER"))
            }
            let formerOrders = source.joinTables.first { $0.name == name }?.orderColumns ?? []
            for column in formerOrders where columns[column] == nil {
                plan.run(
                    "drop columns", .scans(table.name),
                    SQLFragment("ALTER TABLE \(table.name) DROP COLUMN \(table(column))"))
            }
        }
        for (order, owner, member) in newOrders {
            self.order(order, by: owner, of: join.table.name, member: member)
        }
    }

    /// Fills the keys of owners in their members' rows from the old relationship of the owners.
    ///
    /// Of several owners the last one has the member, as if each took its members in turn.
    private mutating func fillKeys(_ column: SQLIdentifier, of table: SQLIdentifier, from slot: PropertySlot)
    {
        guard let links = links(of: slot) else { return }
        let order: SQLText = order(of: slot, links).map { ", \($0) = l.p" } ?? ""
        plan.run(
            "carry \(name(of: slot.declaringEntity)).\(slot.name) over", .scans(table),
            SQLFragment(
                """
                UPDATE \(table) SET \(column) = l.o\(order) FROM (SELECT MAX(o) AS o, m, p FROM (\(links.select)) \
                GROUP BY m) l WHERE l.m = \(table).Z_PK
                """))
    }

    /// Clears a to-one relationship where its new inverse leads back to another object: several objects may
    /// have led to one.
    private mutating func clearUnanswered(
        _ slot: PropertySlot, by inverse: SQLIdentifier, of members: SQLIdentifier
    ) {
        guard let table = target.schema[slot.declaringEntity],
            let column = slot.column.map({ table.columns[$0] })
        else { return }
        let owners = table.tableName
        let cleared = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }
        let isAnswered: SQLText =
            "(SELECT m.\(inverse) FROM \(members) m WHERE m.Z_PK = \(owners).\(column.name))"
        plan.run(
            "clear \(name(of: slot.declaringEntity)).\(slot.name) where its inverse leads elsewhere",
            .scans(owners),
            SQLFragment(
                """
                UPDATE \(owners) SET \(Self.cleared(cleared)) \
                WHERE \(column.name) NOT NULL AND Z_PK IS NOT \(isAnswered)
                """))
        guard !slot.isOptional else { return }
        for entity in evolution.destination[slot.declaringEntity].family where moves.moves[entity] != nil {
            let missing = rows(of: [entity], and: "\(column.name) IS NULL")
            plan.require(
                .mandatory, name(of: entity), slot.name, none: "SELECT COUNT(*) FROM \(owners)\(missing)")
        }
    }

    /// Stores the entity numbers of the objects that a to-one relationship leads to, where these were implied
    /// before.
    private mutating func numberTargets(
        _ stored: StoredColumn, of table: SQLIdentifier, _ relationship: RelationshipSlot,
        _ columns: [TargetColumn]
    ) {
        guard let entity = stored.entityColumn, let destination = target.schema[relationship.destination]
        else { return }
        let isKnown = columns.first { $0.name == entity }?.sources.allSatisfy { index, source in
            moves.moves[index] == nil || source != nil
        }
        if isKnown == true { return }
        plan.run(
            "store the entities that \(stored.name) leads to", .scans(table),
            SQLFragment(
                """
                UPDATE \(table) SET \(entity) = (SELECT d.Z_ENT FROM \(destination.tableName) d \
                WHERE d.Z_PK = \(table).\(stored.name)) WHERE \(stored.name) NOT NULL AND \(entity) IS NULL
                """))
    }

    // MARK: Positions

    /// Orders members by their keys, unless the store has their positions.
    private mutating func order(
        _ column: SQLIdentifier?, by key: SQLIdentifier, of table: SQLIdentifier, _ columns: [TargetColumn]
    ) {
        guard let column, !hasSource(column, columns) else { return }
        order(column, by: key, of: table, member: NameMangling.key)
    }

    /// Orders the members of what becomes ordered by their keys (sqlite-store §7).
    private mutating func order(
        _ column: SQLIdentifier, by key: SQLIdentifier, of table: SQLIdentifier, member: SQLIdentifier
    ) {
        plan.run(
            "order by \(column)", .scans(table),
            SQLFragment(
                """
                UPDATE \(table) SET \(column) = p.n FROM (SELECT rowid AS r, 1024 + 1024 * ROW_NUMBER() \
                OVER (PARTITION BY \(key) ORDER BY \(column), \(member)) AS n FROM \(table) \
                WHERE \(key) NOT NULL) p WHERE p.r = \(table).rowid
                """))
    }
}
