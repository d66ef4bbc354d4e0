import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Reads of the members of to-many relationships.
extension SelectCompiler {
    /// Selects key and entity number of the members of a to-many, in order if it is ordered.
    package func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> SQLFragment {
        let (storage, destination) = try toMany(slot, of: row.entity)
        let key: SQLFragment = "\(bind: .integer(row.key))"
        switch storage {
        case .foreignKey(let table, let column, let order, _):
            let sql: SQLFragment = """
                SELECT t0.Z_PK, \(entityNumber(destination)) FROM \(table) t0 WHERE t0.\(column) = \(key)
                """
            return order.map { sql + " ORDER BY t0.\($0)" } ?? sql
        case .join(let table, let owner, let member, let order, let isReflexive):
            if isReflexive {
                return """
                    SELECT t0.Z_PK, t0.Z_ENT FROM \(destination.tableName) t0 WHERE t0.Z_PK IN \
                    (SELECT \(member) FROM \(table) WHERE \(owner) = \(key) \
                    UNION SELECT \(owner) FROM \(table) WHERE \(member) = \(key))
                    """
            }
            let sql: SQLFragment = """
                SELECT t1.Z_PK, t1.Z_ENT FROM \(table) t0 \
                JOIN \(destination.tableName) t1 ON t0.\(member) = t1.Z_PK WHERE t0.\(owner) = \(key)
                """
            return order.map { sql + " ORDER BY t0.\($0)" } ?? sql
        }
    }

    /// Selects the members of a to-many of many rows: the owner's key, the member's key and entity number.
    ///
    /// The members of one owner are in order if the relationship is ordered.
    package func related(
        _ slot: Int,
        of entity: EntityIndex,
        ofEach rows: [ObjectReference]
    ) throws(StoreError) -> SQLFragment {
        let (storage, destination) = try toMany(slot, of: entity)
        let keys = KeyedRows.Keys.list("\(bind: Self.keys(rows))")
        switch storage {
        case .foreignKey(let table, let column, let order, _):
            let members = KeyedRows(
                table: table, column: column, keys: keys, order: order.map { .by("t0.\($0)") } ?? .any)
            return """
                SELECT t0.\(column), t0.Z_PK, \(entityNumber(destination))\(dialect.source(members))
                """
        case .join(let table, let owner, let member, let order, let isReflexive):
            if isReflexive {
                let sides = [owner, member].map {
                    dialect.source(KeyedRows(table: table, alias: "j", column: $0, keys: keys))
                }
                return """
                    SELECT t0.owner, t1.Z_PK, t1.Z_ENT FROM \
                    (SELECT j.\(owner) AS owner, j.\(member) AS member\(sides[0]) \
                    UNION SELECT j.\(member), j.\(owner)\(sides[1])) t0 \
                    JOIN \(destination.tableName) t1 ON t0.member = t1.Z_PK
                    """
            }
            let members = KeyedRows(
                table: table, column: owner, keys: keys,
                joins: " JOIN \(destination.tableName) t1 ON t0.\(member) = t1.Z_PK",
                order: order.map { .by("t0.\($0)") } ?? .any)
            return "SELECT t0.\(owner), t1.Z_PK, t1.Z_ENT\(dialect.source(members))"
        }
    }

    /// Selects the keys of owners and the numbers of members that a to-many has of each. Owners without members
    /// are left out.
    package func memberCounts(
        _ slot: Int, of entity: EntityIndex, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> SQLFragment {
        let (storage, _) = try toMany(slot, of: entity)
        let keys = KeyedRows.Keys.list("\(bind: Self.keys(rows))")
        switch storage {
        case .foreignKey(let table, let column, _, _), .join(let table, let column, _, _, false):
            let members = KeyedRows(table: table, column: column, keys: keys)
            return "SELECT t0.\(column), COUNT(*)\(dialect.source(members)) GROUP BY t0.\(column)"
        case .join(let table, let owner, let member, _, true):
            let sides = [owner, member].map {
                dialect.source(KeyedRows(table: table, alias: "j", column: $0, keys: keys))
            }
            return """
                SELECT t0.owner, COUNT(*) FROM \
                (SELECT j.\(owner) AS owner, j.\(member) AS member\(sides[0]) \
                UNION SELECT j.\(member), j.\(owner)\(sides[1])) t0 GROUP BY t0.owner
                """
        }
    }

    /// Selects the members of a to-many as rows, with the owner's key after their columns.
    ///
    /// Members of one owner follow one another, in order if the relationship is ordered. The result is nil
    /// for a reflexive relationship, whose pairs are stored in one or both directions.
    package func relatedRows(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> (select: SQLFragment, plan: ResultPlan, ownerColumn: Int32)? {
        guard let first = rows.first else { return nil }
        let (storage, destination) = try toMany(slot, of: first.entity)
        let shape = rowShapes.shape(of: destination.entity, includesSubentities: true)
        let keys: KeyedRows.Keys =
            rows.count == 1
            ? .one("\(bind: .integer(first.key))") : .list("\(bind: Self.keys(rows))")
        var members: KeyedRows
        let position: SQLIdentifier?
        switch storage {
        case .foreignKey(let table, let column, let order, _):
            members = KeyedRows(table: table, column: column, keys: keys, order: .grouped)
            position = order
        case .join(let table, let owner, let member, let order, false):
            members = KeyedRows(
                table: table, alias: "j", column: owner, keys: keys,
                joins: " JOIN \(destination.tableName) t0 ON j.\(member) = t0.Z_PK", order: .grouped)
            position = order
        case .join: return nil
        }
        if let position { members.order = .by("\(members.key), \(members.alias).\(position)") }
        let sql: SQLFragment = "SELECT \(shape.selection), \(members.key)\(dialect.source(members))"
        return (sql, shape.plan, Int32(shape.columnCount))
    }

    /// Returns the entity number of rows. It is a constant if all are of one entity, so that the index that
    /// finds them answers without the table.
    private func entityNumber(_ table: EntityTable) -> SQLText {
        let root = schema.model[schema.model[table.entity].root]
        return root.hasSubentities ? "t0.Z_ENT" : "\(table.number)"
    }

    private func toMany(_ slot: Int, of index: EntityIndex) throws(StoreError) -> (ToManyStorage, EntityTable)
    {
        let entity = schema.model[index]
        let property = entity.slots[slot]
        guard let relationship = property.relationship, let storage = schema[index]?.toMany[slot],
            let destination = schema[relationship.destination]
        else {
            throw StoreError(.unsupported, "\(entity.name).\(property.name) is no to-many of this store")
        }
        return (storage, destination)
    }
}
