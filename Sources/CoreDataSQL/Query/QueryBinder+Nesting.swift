import CoreDataPredicates
import CoreDataStore
import CoreDataValues

extension QueryBinder {
    /// Binds a query within this one: the keys of its rows, the one column of its dictionaries, or their
    /// number.
    func nested(_ query: FetchQuery, isCountOnly: Bool) throws(StoreError) -> QueryOperand {
        var query = query
        let isCut = query.limit > 0 || query.offset > 0
        if !isCut { query.sort = [] }
        let isCountOnly = isCountOnly || query.shape.isCount
        if isCountOnly { query.shape = query.shape.dictionary.map { .dictionaryCount($0) } ?? .count }
        var binder = try QueryBinder(schema: schema, entity: query.entity, within: self)
        let bound = try binder.bind(query)
        if isCountOnly {
            return .value(
                BoundExpression(
                    form: .rowCount(bound), type: .attribute(.integer64), isNullable: false))
        }
        if case .dictionaries = query.shape {
            guard bound.cells.count == 1 else {
                throw StoreError(
                    .unsupported, "a FETCH of dictionaries with several columns is no collection")
            }
            return .query(bound, bound.cells[0])
        }
        let key = BoundExpression.column(binder.root.key, .reference(query.entity), isNullable: false)
        return .query(bound, key)
    }
}
