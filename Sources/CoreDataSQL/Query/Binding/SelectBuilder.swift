/// The FROM and WHERE of one select while it is being bound.
///
/// Joins are added as key paths ask for them; uses of one to-one path share its join. All selects of a
/// statement number their tables together.
final class SelectBuilder {
    private(set) var source: BoundSource
    private var joinedRows: [BoundColumn: Int] = [:]
    private let numbering: Numbering

    /// The numbering of the tables of one statement.
    private final class Numbering {
        private var next = 0

        func take() -> Int {
            defer { next += 1 }
            return next
        }
    }

    /// Begins a select.
    ///
    /// - Parameters:
    ///   - table: The table to select from.
    ///   - outer: Any select of the statement; nil begins a statement.
    init(_ table: BoundTable, within outer: SelectBuilder?) {
        numbering = outer?.numbering ?? Numbering()
        source = BoundSource(table: table, alias: numbering.take(), joins: [], conditions: [])
    }

    func add(_ condition: BoundCondition) { source.conditions.append(condition) }

    /// Joins the rows of a table whose `column` is equal to `left`, and returns their alias.
    ///
    /// - Parameter entities: The only entities to join rows of, by their values of Z_ENT; empty means any.
    func join(
        _ kind: BoundJoin.Kind,
        _ table: BoundTable,
        by column: SQLIdentifier,
        equalTo left: BoundColumn,
        entities: [Int64] = []
    ) -> Int {
        let alias = numbering.take()
        source.joins.append(
            BoundJoin(kind: kind, table: table, alias: alias, column: column, left: left, entities: entities))
        return alias
    }

    /// Returns the alias of the row whose key is in `column`. Joins the row at its first use.
    func row(of table: SQLIdentifier, keyedBy column: BoundColumn) -> Int {
        if let alias = joinedRows[column] { return alias }
        let alias = join(.leftOuter, .named(table), by: NameMangling.key, equalTo: column)
        joinedRows[column] = alias
        return alias
    }
}
