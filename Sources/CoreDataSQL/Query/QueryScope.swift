import CoreDataValues

/// The FROM and WHERE of one select while it is being bound.
///
/// Joins are added as key paths ask for them; uses of one to-one path share its join.
final class QueryScope {
    private(set) var source: BoundSource
    private var joinedRows: [BoundColumn: Int] = [:]

    init(_ table: BoundTable, alias: Int) {
        source = BoundSource(table: table, alias: alias, joins: [], conditions: [])
    }

    func add(_ condition: BoundCondition) { source.conditions.append(condition) }

    func add(_ join: BoundJoin) { source.joins.append(join) }

    /// Returns the alias of the row whose key stands in `column`; `newAlias` numbers it at its first use.
    func row(of table: SQLIdentifier, keyedBy column: BoundColumn, newAlias: () -> Int) -> Int {
        if let alias = joinedRows[column] { return alias }
        let alias = newAlias()
        joinedRows[column] = alias
        add(
            BoundJoin(
                kind: .leftOuter, table: .named(table), alias: alias, column: NameMangling.key, left: column))
        return alias
    }
}

/// An object on a key path: the column that holds its key, and its row once a key path has used it.
struct PathPoint {
    var scope: QueryScope
    var entity: EntityIndex
    var key: BoundColumn
    /// The alias of the object's row, if it is part of the statement already.
    var row: Int?
    /// The column beside the key with the concrete entity's number.
    var entityColumn: SQLIdentifier?
    /// The column that orders the object among the members of the relationship that led to it.
    var order: BoundColumn?
    /// Whether only some of the objects have the row: a cast leaves out objects of other entities.
    var isPartial = false
    /// Whether several rows of the scope, on several ways, may lead to one object, or to none.
    var mayRepeat = false

    var isRow: Bool { row == key.alias }
    var isNullable: Bool { !isRow || isPartial }
}

/// The end of a key path.
struct PathEnd {
    var value: BoundExpression
    /// The object, if the path ends on one.
    var point: PathPoint?
    /// The rows passed on the way through a to-many; nil if there is just one value.
    var collection: QueryScope?
    var isDistinct = false
    /// The member of an ordered relationship that the path goes through; its value is that of a sub-select.
    var element: PathElement?
}

/// One member of an ordered relationship, with the sub-select it is picked from.
struct PathElement {
    let scope: QueryScope
    let choice: ElementChoice

    /// Returns a value that a path from the member leads to.
    func value(_ value: BoundExpression) -> BoundExpression {
        BoundExpression(form: .element(value, scope.source, choice), type: value.type)
    }
}
