import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// A fetch query as SQL, with what it takes to read its rows.
package struct CompiledQuery: Sendable {
    package let select: SQLFragment
    /// How rows are decoded; only for whole rows.
    package let plan: ResultPlan?
    /// How cells are decoded; only for dictionaries.
    package let cells: CellPlan?
}

/// Compiles questions into SELECTs: `FetchQuery -> BoundQuery -> SQLFragment`. Pure; costs microseconds a column,
/// so what runs often (faults) is compiled once and kept by its caller.
///
///     SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME FROM ZPERSON t0 WHERE t0.ZAGE > ? ORDER BY t0.ZNAME LIMIT ?
package struct SelectCompiler: Sendable {
    package let schema: StoreSchema
    package let layouts: RowLayouts
    package let dialect: any SQLDialect

    package init(schema: StoreSchema, layouts: RowLayouts, dialect: any SQLDialect) {
        self.schema = schema
        self.layouts = layouts
        self.dialect = dialect
    }

    var writer: SQLWriter { SQLWriter(dialect: dialect) }

    package func compile(_ query: FetchQuery) throws(StoreError) -> CompiledQuery {
        var binder = try QueryBinder(schema: schema, entity: query.entity)
        let bound = try binder.bind(query)
        var plan: ResultPlan?
        if case .rows = query.shape {
            let family = binder.entity.family
            let wanted = query.includesSubentities ? family : query.entity..<query.entity + 1
            plan = RowColumns(schema, family: wanted).plan(layouts)
        }
        var cells: CellPlan?
        if case .dictionaries(let shape) = query.shape, case .cells(let expressions) = bound.projection {
            cells = CellPlan(shape, expressions, schema)
        }
        return CompiledQuery(select: write(bound), plan: plan, cells: cells)
    }

    private func write(_ query: BoundQuery) -> SQLFragment {
        if case .count = query.projection, query.limit > 0 || query.offset > 0 {
            var rows = query
            rows.projection = .reference
            return "SELECT COUNT(*) FROM (\(write(rows))) r"
        }
        var sql: SQLFragment = query.isDistinct ? "SELECT DISTINCT " : "SELECT "
        sql.append(write(query.projection, alias: query.source.alias))
        sql.append(writer.write(query.source))
        if !query.groupBy.isEmpty {
            sql.append(" GROUP BY ")
            sql.append(query.groupBy.map(writer.write).joined(separator: ", "))
        }
        if let having = query.having {
            sql.append(" HAVING ")
            sql.append(writer.write(having))
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

    private func write(_ projection: BoundProjection, alias: Int) -> SQLFragment {
        switch projection {
        case .row(let names):
            let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + names
            return SQLFragment(columns.map { "t\(alias).\($0)" }.joined(separator: ", "))
        case .reference: return "t\(alias).Z_PK, t\(alias).Z_ENT"
        case .count: return "COUNT(*)"
        case .cells(let cells): return cells.map(writer.write).joined(separator: ", ")
        }
    }

    private func write(_ order: BoundOrder) -> SQLFragment {
        var sql: SQLFragment =
            switch order.criterion {
            case .expression(let expression): writer.write(expression)
            case .cell(let number): "\(number)"
            }
        if let collation = order.collation { sql.append(" COLLATE \(dialect.name(of: collation))") }
        if !order.isAscending { sql.append(" DESC") }
        return sql
    }
}
