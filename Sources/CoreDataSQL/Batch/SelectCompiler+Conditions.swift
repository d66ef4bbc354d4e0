import CoreDataStore

extension SelectCompiler {
    /// Returns the ` WHERE …` of an UPDATE or a DELETE whose table is `t0`. It compares keys if the query
    /// needs joins or has a limit or an offset, and is empty if the query finds every row.
    func condition(_ query: FetchQuery) throws(StoreError) -> SQLFragment {
        let scope = try BindingScope(schema: schema, dialect: dialect, entity: query.entity)
        let bound = try QueryBinder(scope: scope).bind(query)
        if !bound.source.joins.isEmpty || bound.limit > 0 || bound.offset > 0 {
            return " WHERE t0.Z_PK IN (\(writer.write(bound, selecting: "t0.Z_PK")))"
        }
        return writer.conditions(of: bound.source)
    }
}
