import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The resolving of a fetch query's names against a store's tables: `FetchQuery -> BoundQuery`.
///
/// Pure, as are the binders of its parts: of predicates and comparisons, of expressions, functions and paths,
/// of sort keys. They are values over the `BindingScope` of the place where they bind.
///
/// A to-one step is a LEFT OUTER JOIN shared by all uses of the path; a to-many step opens a sub-select
/// correlated with the row it starts from. The last to-one key of a path needs no join: the key is the value.
struct QueryBinder {
    /// The scope of the predicate.
    let scope: BindingScope

    /// Binds the query.
    ///
    /// It must be called once only, since the scope's select collects the conditions and joins.
    func bind(_ query: FetchQuery) throws(StoreError) -> BoundQuery {
        let select = scope.root.select
        if let condition = entityCondition(includesSubentities: query.includesSubentities) {
            select.add(condition)
        }
        if let predicate = query.predicate {
            select.add(try scope.predicates.bind(predicate))
        }
        var bound = BoundQuery(source: select.source)
        var sorting = scope
        if let shape = query.shape.dictionary { sorting.cells = try bind(shape, into: &bound) }
        // Counting all rows needs no order.
        if !query.shape.isCount || query.limit > 0 || query.offset > 0 {
            bound.order = try SortBinder(scope: sorting).bind(query.sort)
        }
        bound.limit = query.limit
        bound.offset = query.offset
        bound.source = select.source
        return bound
    }

    /// Returns the condition that a row of a shared table is of the entity; nil if all rows are.
    private func entityCondition(includesSubentities: Bool) -> BoundCondition? {
        let (schema, root) = (scope.schema, scope.root)
        let entity = schema.model[root.entity]
        let family = schema.model[entity.root].family
        let wanted = entity.family(includingSubentities: includesSubentities)
        guard wanted != family else { return nil }
        let column = BoundExpression.column(
            BoundColumn(alias: root.key.alias, name: NameMangling.entity), .entity, isNullable: false)
        let numbers = wanted.compactMap { schema[$0]?.number }
        let values = numbers.map { BoundExpression.value(.integer($0), .entity) }
        return values.count == 1 ? .compare(column, .equal, values[0]) : .oneOf(column, values)
    }

    // MARK: Dictionaries

    /// Binds the selection and the grouping of a dictionary query, and returns its cells.
    private func bind(
        _ shape: DictionaryShape,
        into bound: inout BoundQuery
    ) throws(StoreError) -> [String: ResultCell] {
        var scope = scope
        scope.allowsAggregates = true
        for column in shape.columns {
            let cell = try cell(column.expression, in: scope)
            scope.cells[column.name] = ResultCell(
                value: cell[0], number: bound.cells.count + 1, type: column.type)
            bound.cells += cell
        }
        bound.isDistinct = shape.isDistinct
        for expression in shape.groupBy {
            bound.groupBy.append(try scope.expressions.column(expression).contents)
        }
        if let having = shape.having { bound.having = try scope.predicates.bind(having) }
        return scope.cells
    }

    /// Binds the value and, for a reference whose entity varies, the entity's number after it.
    private func cell(
        _ expression: ExpressionNode,
        in scope: BindingScope
    ) throws(StoreError) -> [BoundExpression] {
        guard let end = try scope.paths.end(of: expression) else {
            return [try scope.expressions.scalar(expression).contents]
        }
        let value = try end.single(in: expression).inOneColumn(expression).contents
        guard let point = end.point, end.element == nil, let entity = entityNumber(of: point) else {
            return [value]
        }
        return [value, entity]
    }

    /// Returns the column of the number of an object's concrete entity; nil if the model determines the
    /// entity.
    private func entityNumber(of point: PathPoint) -> BoundExpression? {
        let name = point.isRow ? NameMangling.entity : point.entityColumn
        return name.map { .column(BoundColumn(alias: point.key.alias, name: $0), .entity) }
    }

    // MARK: Nesting

    /// Binds the query within another one: the keys of its rows, the one column of its dictionaries, or their
    /// number.
    func operand(_ query: FetchQuery, isCountOnly: Bool) throws(StoreError) -> QueryOperand {
        var query = query
        let isCut = query.limit > 0 || query.offset > 0
        if !isCut { query.sort = [] }
        let isCountOnly = isCountOnly || query.shape.isCount
        if isCountOnly { query.shape = query.shape.dictionary.map { .dictionaryCount($0) } ?? .count }
        let bound = try bind(query)
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
        let key = BoundExpression.column(scope.root.key, .reference(query.entity), isNullable: false)
        return .query(bound, key)
    }
}
