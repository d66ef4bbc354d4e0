import CoreDataStore
import CoreDataValues

/// The writing of whole selects.
extension SQLWriter {
    /// The deepest nesting that is written, since deeper nesting exceeds the stack of some databases'
    /// parsers.
    ///
    /// Deeper conditions are tested in memory, which has no such bound.
    private static let deepestNesting = 20

    /// Throws `inexpressible` for a fragment nested so deep that a database might refuse it.
    ///
    /// - Parameter levels: The depth at which the fragment itself will stand in others.
    func checkNesting(of fragment: SQLFragment, below levels: Int = 0) throws(StoreError) {
        guard fragment.sql.nesting + levels > Self.deepestNesting else { return }
        throw StoreError(.inexpressible, "SQL cannot nest conditions and expressions that deep")
    }

    /// Writes a query.
    ///
    /// - Parameter isListed: Whether the rows themselves are returned, so that their order matters.
    func write(
        _ query: BoundQuery, selecting selection: SQLFragment, isListed: Bool = false
    ) -> SQLFragment {
        var query = query
        if isListed || query.limit > 0 || query.offset > 0 { addKeyOrder(to: &query) }
        if query.isDistinct, !dialect.sortsDistinctRows { groupDistinctRows(of: &query) }
        var sql: SQLFragment = query.isDistinct ? "SELECT DISTINCT " : "SELECT "
        sql.append(selection)
        sql.append(write(query.source))
        if !query.groupBy.isEmpty {
            sql.append(" GROUP BY ")
            sql.append(query.groupBy.map(write).joined(separator: ", "))
        }
        if let having = query.having {
            sql.append(" HAVING ")
            sql.append(write(having))
        }
        if !query.order.isEmpty {
            sql.append(" ORDER BY ")
            let isLimited = query.limit > 0 && !query.isDistinct && query.groupBy.isEmpty
            sql.append(query.order.map { order($0, isLimited: isLimited) }.joined(separator: ", "))
        }
        sql.append(
            dialect.window(
                limit: query.limit > 0 ? "\(bind: .integer(Int64(query.limit)))" : nil,
                offset: query.offset > 0 ? "\(bind: .integer(Int64(query.offset)))" : nil))
        return sql
    }

    private func order(_ order: BoundOrder, isLimited: Bool) -> SQLFragment {
        switch order.criterion {
        case .expression(let expression): self.order(by: expression, order, isLimited: isLimited)
        case .cell(let number):
            dialect.order(
                by: "\(number)", collation: order.collation, isAscending: order.isAscending,
                isNullable: true)
        }
    }

    /// Adds the key as the last sort key, so that the order of equal rows is defined. Some databases need no
    /// such sort key, and rows that stand for several objects have none.
    private func addKeyOrder(to query: inout BoundQuery) {
        if dialect.keepsKeyOrder { return }
        if query.isDistinct || !query.groupBy.isEmpty || query.having != nil { return }
        if query.cells.contains(where: \.mayAggregate) { return }
        let key = BoundColumn(alias: query.source.alias, name: NameMangling.key)
        query.order.append(
            BoundOrder(
                criterion: .expression(.column(key, .attribute(.integer64), isNullable: false)),
                isAscending: true))
    }

    /// Groups distinct rows by their cells if they are sorted by an expression that is not selected. Each
    /// group is sorted by the least value of the expression.
    private func groupDistinctRows(of query: inout BoundQuery) {
        guard query.groupBy.isEmpty, query.order.contains(where: { !sortsSelected($0) }) else { return }
        query.isDistinct = false
        query.groupBy = query.cells
        query.order = query.order.map { order in
            guard case .expression(let expression) = order.criterion else { return order }
            var order = order
            order.criterion = .expression(
                BoundExpression(
                    form: .aggregate(.minimum, expression, isDistinct: false), type: expression.type))
            return order
        }
    }

    /// Returns whether rows are sorted by a selected cell, not by an expression.
    private func sortsSelected(_ order: BoundOrder) -> Bool {
        if case .cell = order.criterion { true } else { false }
    }

    /// Writes the count of a query; limits and groups are applied before rows are counted.
    func count(_ query: BoundQuery) -> SQLFragment {
        let isWhole = query.limit == 0 && query.offset == 0 && query.cells.isEmpty
        if isWhole { return write(query, selecting: "COUNT(*)") }
        let key: SQLFragment = "t\(query.source.alias).Z_PK"
        let cells = query.cells.isEmpty ? key : query.cells.map(write).joined(separator: ", ")
        return "SELECT COUNT(*) FROM (\(write(query, selecting: cells))) r"
    }
}
