import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The steps of a key path, from an object to its values and to the objects it leads to.
extension QueryBinder {
    /// Returns the alias of an object's row, which is joined at its first use.
    func row(of point: PathPoint) throws(StoreError) -> Int {
        if let row = point.row { return row }
        let table = try storedTable(of: point.entity)
        return point.scope.row(of: table.tableName, keyedBy: point.key, newAlias: newAlias)
    }

    func storedTable(of entity: EntityIndex) throws(StoreError) -> EntityTable {
        if let table = schema[entity] { return table }
        throw StoreError(.unsupported, "entity \(schema.model[entity].name) is not in this store")
    }

    private func storedColumn(of slot: PropertySlot, in entity: EntityIndex) throws(StoreError)
        -> StoredColumn
    {
        let table = try storedTable(of: entity)
        if let column = slot.column, table.columns.indices.contains(column) { return table.columns[column] }
        throw StoreError(
            .unsupported, "\(schema.model[entity].name).\(slot.name) has no column in \(table.tableName)")
    }

    func value(
        of slot: PropertySlot,
        _ attribute: AttributeSlot,
        at point: PathPoint
    ) throws(StoreError) -> BoundExpression {
        let stored = try storedColumn(of: slot, in: point.entity)
        let column = BoundColumn(alias: try row(of: point), name: stored.name)
        let isExternal = attribute.allowsExternalStorage && attribute.type == .binary
        return .column(column, isExternal ? .externalData : .attribute(attribute.type))
    }

    /// Returns an element of a composite attribute.
    ///
    /// An element that is itself composite has several columns: its stand-in is null if they all are, and can
    /// only be tested for that.
    func element(
        _ path: [String],
        _ attribute: AttributeSlot,
        of slot: PropertySlot,
        at point: PathPoint
    ) throws(StoreError) -> BoundExpression {
        let alias = try row(of: point)
        let columns = try storedColumn(of: slot, in: point.entity).elements
            .filter { $0.path.starts(with: path) }
            .map { BoundExpression.column(BoundColumn(alias: alias, name: $0.name), .attribute($0.type)) }
        let form: BoundExpression.Form =
            switch columns.count {
            case 0: .value(.null)
            case 1: columns[0].form
            default: .call(.coalesce, columns)
            }
        return BoundExpression(form: form, type: .attribute(attribute.type))
    }

    func follow(
        _ slot: PropertySlot,
        _ relationship: RelationshipSlot,
        from point: PathPoint
    ) throws(StoreError) -> PathPoint {
        let stored = try storedColumn(of: slot, in: point.entity)
        return PathPoint(
            scope: point.scope,
            entity: relationship.destination,
            key: BoundColumn(alias: try row(of: point), name: stored.name),
            entityColumn: stored.entityColumn)
    }

    /// Opens the sub-select of a to-many relationship, or joins the relationship to the open one.
    func enter(
        _ slot: PropertySlot,
        _ relationship: RelationshipSlot,
        from point: PathPoint,
        collection: inout QueryScope?
    ) throws(StoreError) -> PathPoint {
        guard let storage = try storedTable(of: point.entity).toMany[slot.index] else {
            throw StoreError(
                .unsupported, "\(schema.model[point.entity].name).\(slot.name) is not stored in this store")
        }
        let alias = newAlias()
        let table: BoundTable
        let ownerColumn: SQLIdentifier
        let key: BoundColumn
        let orderColumn: SQLIdentifier?
        var row: Int?
        switch storage {
        case .foreignKey(let name, let column, let order, _):
            orderColumn = order
            table = .named(name)
            ownerColumn = column
            key = BoundColumn(alias: alias, name: NameMangling.key)
            row = alias
        case .join(let name, let owner, let member, let order, let isReflexive):
            orderColumn = order
            table = isReflexive ? .bothDirections(table: name, owner: owner, member: member) : .named(name)
            ownerColumn = owner
            key = BoundColumn(alias: alias, name: member)
        }
        let scope: QueryScope
        var mayRepeat = false
        if let open = collection {
            scope = open
            mayRepeat = point.mayRepeat || row == nil
            scope.add(
                BoundJoin(kind: .inner, table: table, alias: alias, column: ownerColumn, left: point.key))
        } else {
            scope = QueryScope(table, alias: alias)
            let owner = BoundExpression.column(
                BoundColumn(alias: alias, name: ownerColumn), .reference(point.entity))
            scope.add(.compare(owner, .equal, .column(point.key, .reference(point.entity))))
            collection = scope
        }
        return PathPoint(
            scope: scope, entity: relationship.destination, key: key, row: row,
            order: orderColumn.map { BoundColumn(alias: alias, name: $0) }, mayRepeat: mayRepeat)
    }

    /// Returns the set of objects that several rows may lead to: a scope of their own rows, each there once.
    mutating func meetOnce(
        _ point: inout PathPoint,
        _ collection: inout QueryScope?
    ) throws(StoreError) {
        guard point.mayRepeat, let scope = collection else { return }
        let table = try storedTable(of: point.entity)
        let alias = newAlias()
        let key = BoundColumn(alias: alias, name: NameMangling.key)
        let rows = QueryScope(.named(table.tableName), alias: alias)
        rows.add(
            .oneOfQuery(
                .column(key, .reference(point.entity), isNullable: false), BoundQuery(source: scope.source),
                selecting: .column(point.key, .reference(point.entity))))
        point = PathPoint(scope: rows, entity: point.entity, key: key, row: alias)
        collection = rows
    }
}
