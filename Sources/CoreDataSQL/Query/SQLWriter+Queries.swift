import CoreDataStore

/// The writing of whole selects.
extension SQLWriter {
    /// The deepest nesting that is written: deeper ones exceed what some databases' parsers keep.
    ///
    /// Memory has no such bound.
    private static let deepestNesting = 20

    /// Throws `inexpressible` for a fragment nested so deep that a database might refuse it.
    ///
    /// - Parameter levels: The depth at which the fragment itself will stand in others.
    func checkNesting(of fragment: SQLFragment, below levels: Int = 0) throws(StoreError) {
        guard fragment.sql.nesting + levels > Self.deepestNesting else { return }
        throw StoreError(.inexpressible, "SQL cannot nest conditions and expressions that deep")
    }

    func write(_ query: BoundQuery, selecting selection: SQLFragment) -> SQLFragment {
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
            sql.append(query.order.map(write).joined(separator: ", "))
        }
        sql.append(
            dialect.window(
                limit: query.limit > 0 ? "\(bind: .integer(Int64(query.limit)))" : nil,
                offset: query.offset > 0 ? "\(bind: .integer(Int64(query.offset)))" : nil))
        return sql
    }

    private func write(_ order: BoundOrder) -> SQLFragment {
        var sql: SQLFragment =
            switch order.criterion {
            case .expression(let expression): write(expression)
            case .cell(let number): "\(number)"
            }
        if let collation = order.collation { sql.append(" COLLATE \(dialect.name(of: collation))") }
        if !order.isAscending { sql.append(" DESC") }
        return sql
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
