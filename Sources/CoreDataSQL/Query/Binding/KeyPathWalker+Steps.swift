import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The steps of a key path.
extension KeyPathWalker {
    func value(
        of slot: PropertySlot,
        _ attribute: AttributeSlot,
        at point: PathPoint
    ) throws(StoreError) -> BoundExpression {
        let stored = try schema.column(of: slot, in: point.entity)
        let column = BoundColumn(
            alias: try point.row(in: schema), name: stored.name, isIndexedText: stored.isIndexedText)
        let isExternal =
            schema.keepsExternalFiles && attribute.allowsExternalStorage && attribute.type == .binary
        return .column(column, isExternal ? .externalData : .attribute(attribute.type))
    }

    /// Returns an element of a composite attribute.
    ///
    /// An element that is itself composite has several columns. It becomes their COALESCE, which is null if
    /// they all are, and can only be compared with nil.
    func element(
        _ path: [String],
        _ attribute: AttributeSlot,
        of slot: PropertySlot,
        at point: PathPoint
    ) throws(StoreError) -> BoundExpression {
        let alias = try point.row(in: schema)
        let columns = try schema.column(of: slot, in: point.entity).elements
            .filter { $0.path.starts(with: path) }
            .map { element in
                let column = BoundColumn(
                    alias: alias, name: element.name, isIndexedText: element.isIndexedText)
                return BoundExpression.column(column, .attribute(element.type))
            }
        let form: BoundExpression.Form =
            switch columns.count {
            case 0: .value(.null)
            case 1: columns[0].form
            default: .call(.coalesce, columns)
            }
        return BoundExpression(form: form, type: .attribute(attribute.type))
    }

    /// Follows a to-one relationship to the key of its destination.
    func destination(
        of slot: PropertySlot,
        _ relationship: RelationshipSlot,
        from point: PathPoint
    ) throws(StoreError) -> PathPoint {
        let stored = try schema.column(of: slot, in: point.entity)
        return PathPoint(
            select: point.select,
            entity: relationship.destination,
            key: BoundColumn(alias: try point.row(in: schema), name: stored.name),
            entityColumn: stored.entityColumn,
            isMember: point.isMember,
            mayRepeat: point.isMember)
    }

    /// Opens the sub-select of a to-many relationship, or joins the relationship to the open one.
    func members(
        of slot: PropertySlot,
        _ relationship: RelationshipSlot,
        from point: PathPoint
    ) throws(StoreError) -> PathPoint {
        guard let storage = try schema.table(of: point.entity).toMany[slot.index] else {
            throw StoreError(
                .unsupported, "\(schema.model[point.entity].name).\(slot.name) is not stored in this store")
        }
        let table: BoundTable
        let (ownerColumn, key, orderColumn): (SQLIdentifier, SQLIdentifier, SQLIdentifier?)
        let isRow: Bool
        switch storage {
        case .foreignKey(let name, let column, let order, _):
            table = .named(name)
            (ownerColumn, key, orderColumn, isRow) = (column, NameMangling.key, order, true)
        case .join(let name, let owner, let member, let order, let isReflexive):
            table = isReflexive ? .bothDirections(table: name, owner: owner, member: member) : .named(name)
            (ownerColumn, key, orderColumn, isRow) = (owner, member, order, false)
        }
        let select: SelectBuilder
        let alias: Int
        if point.isMember {
            select = point.select
            alias = select.join(.inner, table, by: ownerColumn, equalTo: point.key)
        } else {
            select = SelectBuilder(table, within: point.select)
            alias = select.source.alias
            let type = BoundType.reference(point.entity)
            let owner = BoundExpression.column(BoundColumn(alias: alias, name: ownerColumn), type)
            select.add(.compare(owner, .equal, .column(point.key, type)))
        }
        return PathPoint(
            select: select, entity: relationship.destination,
            key: BoundColumn(alias: alias, name: key), row: isRow ? alias : nil,
            order: orderColumn.map { BoundColumn(alias: alias, name: $0) }, isMember: true,
            mayRepeat: point.isMember && (point.mayRepeat || !isRow))
    }

    /// Returns the point itself or, if several rows of its select may lead to one object, a point whose
    /// select has the row of each object once.
    func distinct(_ point: PathPoint) throws(StoreError) -> PathPoint {
        guard point.mayRepeat, point.isMember else { return point }
        var result = PathPoint(rowOf: try schema.table(of: point.entity), within: point.select)
        result.isMember = true
        result.select.add(
            .oneOfQuery(
                .column(result.key, .reference(point.entity), isNullable: false),
                BoundQuery(source: point.select.source),
                selecting: .column(point.key, .reference(point.entity))))
        return result
    }
}
