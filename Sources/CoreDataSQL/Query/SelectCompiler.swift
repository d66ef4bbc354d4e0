import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// The compiler of fetch queries into SELECTs: `FetchQuery -> BoundQuery -> SQLFragment`.
///
/// Pure, except that it remembers row shapes.
///
/// Compiling a query takes some ten microseconds, so statements that run often are kept: those that read
/// faults by the backend, others by `CompiledQueries`.
///
///     SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME FROM ZPERSON t0 WHERE t0.ZAGE > ?
///     ORDER BY t0.ZNAME LIMIT ?
package struct SelectCompiler: Sendable {
    package let schema: StoreSchema
    package let layouts: RowLayouts
    package let dialect: any QueryDialect
    let rowShapes: RowShapes

    package init(schema: StoreSchema, layouts: RowLayouts, dialect: any QueryDialect) {
        self.schema = schema
        self.layouts = layouts
        self.dialect = dialect
        rowShapes = RowShapes(schema, layouts)
    }

    var writer: SQLWriter { SQLWriter(dialect: dialect) }
    var encoder: ConstantEncoder { ConstantEncoder(schema: schema, isTyped: dialect.hasTypes) }

    package func compile(_ query: FetchQuery) throws(StoreError) -> CompiledQuery {
        try compile(query, parameters: [:])
    }

    /// Compiles a query.
    ///
    /// - Parameter parameters: The numbers of constants that the statement gets when it runs, by the
    ///   variables that stand for them.
    func compile(_ query: FetchQuery, parameters: [String: Int]) throws(StoreError) -> CompiledQuery {
        let compiled = try unchecked(query, parameters)
        try writer.checkNesting(of: compiled.select)
        return compiled
    }

    private func unchecked(_ query: FetchQuery, _ parameters: [String: Int]) throws(StoreError)
        -> CompiledQuery
    {
        var query = query
        let composites = query.shape.dictionary.flatMap {
            CompositeColumns($0, of: query.entity, in: schema.model)
        }
        if let composites {
            query.shape =
                query.shape.isCount ? .dictionaryCount(composites.shape) : .dictionaries(composites.shape)
        }
        let scope = try BindingScope(
            schema: schema, dialect: dialect, entity: query.entity, parameters: parameters)
        let bound = try QueryBinder(scope: scope).bind(query)
        switch query.shape {
        case .rows:
            let row = rowShapes.shape(of: query.entity, includesSubentities: query.includesSubentities)
            return CompiledQuery(
                select: writer.write(bound, selecting: SQLFragment(row.selection), isListed: true),
                plan: row.plan, cells: nil)
        case .references:
            return CompiledQuery(
                select: writer.write(bound, selecting: "t0.Z_PK, t0.Z_ENT", isListed: true), plan: nil,
                cells: nil)
        case .count, .dictionaryCount:
            return CompiledQuery(select: writer.count(bound), plan: nil, cells: nil)
        case .dictionaries(let shape):
            return CompiledQuery(
                select: writer.write(
                    bound, selecting: bound.cells.map(writer.write).joined(separator: ", "),
                    isListed: true),
                plan: nil,
                cells: CellPlan(shape, bound.cells, schema, composites))
        }
    }
}
