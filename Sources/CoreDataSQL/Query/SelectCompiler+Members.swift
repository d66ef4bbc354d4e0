import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Reads of the members of to-many relationships.
extension SelectCompiler {
    /// Selects key and entity number of the members of a to-many, in order if it is ordered.
    package func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> SQLFragment {
        let (storage, destination) = try toMany(slot, of: row.entity)
        let key = SQLFragment("?", bindings: [.integer(row.key)])
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

    /// Selects the owner's key, and key and entity number of the members, for a to-many of many rows.
    ///
    /// The array of keys leads the join, so that each owner is one look-up; the members of one owner are in
    /// order if the relationship is ordered.
    package func related(
        _ slot: Int,
        of entity: EntityIndex,
        ofEach rows: [ObjectReference]
    ) throws(StoreError) -> SQLFragment {
        let (storage, destination) = try toMany(slot, of: entity)
        let keys: SQLFragment = "(\(dialect.elements(ofJSON: "\(bind: Self.keys(rows))"))) k"
        switch storage {
        case .foreignKey(let table, let column, let order, _):
            let sql: SQLFragment = """
                SELECT t0.\(column), t0.Z_PK, \(entityNumber(destination)) FROM \(keys) \
                CROSS JOIN \(table) t0 ON t0.\(column) = k.value
                """
            return order.map { sql + " ORDER BY t0.\($0)" } ?? sql
        case .join(let table, let owner, let member, let order, let isReflexive):
            if isReflexive {
                return """
                    SELECT t0.owner, t1.Z_PK, t1.Z_ENT FROM \
                    (SELECT j.\(owner) AS owner, j.\(member) AS member \
                    FROM \(keys) CROSS JOIN \(table) j ON j.\(owner) = k.value \
                    UNION SELECT j.\(member), j.\(owner) \
                    FROM \(keys) CROSS JOIN \(table) j ON j.\(member) = k.value) t0 \
                    JOIN \(destination.tableName) t1 ON t0.member = t1.Z_PK
                    """
            }
            let sql: SQLFragment = """
                SELECT t0.\(owner), t1.Z_PK, t1.Z_ENT FROM \(keys) \
                CROSS JOIN \(table) t0 ON t0.\(owner) = k.value \
                JOIN \(destination.tableName) t1 ON t0.\(member) = t1.Z_PK
                """
            return order.map { sql + " ORDER BY t0.\($0)" } ?? sql
        }
    }

    /// Selects the members of a to-many as rows, with the owner's key behind their columns.
    ///
    /// Members of one owner follow one another, in order if the relationship is ordered. It is nil for a
    /// reflexive relationship, whose pairs have to be joined first.
    package func relatedRows(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> (select: SQLFragment, plan: ResultPlan, ownerColumn: Int32)? {
        guard let first = rows.first else { return nil }
        let (storage, destination) = try toMany(slot, of: first.entity)
        let shape = rowShapes.shape(of: destination.entity, includesSubentities: true)
        let keys: SQLFragment =
            rows.count == 1
            ? "(SELECT \(bind: .integer(first.key)) AS value) k"
            : "(\(dialect.elements(ofJSON: "\(bind: Self.keys(rows))"))) k"
        let (owner, source, order): (SQLText, SQLFragment, SQLText?)
        switch storage {
        case .foreignKey(let table, let column, let position, _):
            owner = "t0.\(column)"
            source = "CROSS JOIN \(table) t0 ON \(owner) = k.value"
            order = position.map { "t0.\($0)" }
        case .join(let table, let ownerColumn, let member, let position, false):
            owner = "j.\(ownerColumn)"
            source = """
                CROSS JOIN \(table) j ON \(owner) = k.value \
                JOIN \(destination.tableName) t0 ON j.\(member) = t0.Z_PK
                """
            order = position.map { "j.\($0)" }
        case .join: return nil
        }
        let sql: SQLFragment = "SELECT \(shape.selection), \(owner) FROM \(keys) \(source)"
        return (
            order.map { sql + " ORDER BY \(owner), \($0)" } ?? sql, shape.plan, Int32(shape.columnCount)
        )
    }

    /// Returns the entity number of rows: a constant where all are of one entity, so that the index that
    /// finds them answers alone.
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
