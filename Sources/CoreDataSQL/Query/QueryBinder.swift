import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The resolving of a fetch query's names against a store's tables: `FetchQuery -> BoundQuery`.
///
/// Pure.
///
/// A to-one step is a LEFT OUTER JOIN shared by all uses of the path; a to-many step opens a sub-select
/// correlated with the row it starts from. The last to-one key of a path needs no join: the key is the value.
struct QueryBinder {
    let schema: StoreSchema
    let entity: CompiledEntity
    let table: EntityTable
    let root: PathPoint
    /// The elements of the sub-queries around, by the names of their variables.
    var variables: [String: PathPoint] = [:]
    /// The numbers of constants that the query gets when it runs, by the names of their variables.
    var parameters: [String: Int] = [:]
    /// The cells of a dictionary result by name, for HAVING and ORDER BY.
    var cells: [String: BoundExpression] = [:]
    /// The number of each cell in the selection, counted from 1: a reference takes two numbers.
    private var cellNumbers: [String: Int] = [:]
    /// Whether functions like `sum:` may fold the rows of the statement.
    var allowsAggregates = false
    private let aliases: AliasCounter

    /// The numbering of the tables of one statement.
    private final class AliasCounter {
        var next = 1
    }

    /// Makes a binder.
    ///
    /// - Parameter outer: The binder of the statement that this query is nested in.
    init(
        schema: StoreSchema,
        entity: EntityIndex,
        within outer: QueryBinder? = nil
    ) throws(StoreError) {
        self.schema = schema
        self.entity = schema.model[entity]
        guard let table = schema[entity] else {
            throw StoreError(.unsupported, "entity \(schema.model[entity].name) is not in this store")
        }
        self.table = table
        aliases = outer?.aliases ?? AliasCounter()
        let alias = outer?.newAlias() ?? 0
        let scope = QueryScope(.named(table.tableName), alias: alias)
        root = PathPoint(
            scope: scope, entity: entity, key: BoundColumn(alias: alias, name: NameMangling.key), row: alias)
    }

    func newAlias() -> Int {
        defer { aliases.next += 1 }
        return aliases.next
    }

    // MARK: The query

    mutating func bind(_ query: FetchQuery) throws(StoreError) -> BoundQuery {
        if let condition = entityCondition(includesSubentities: query.includesSubentities) {
            root.scope.add(condition)
        }
        if let predicate = query.predicate {
            root.scope.add(try bind(predicate))
        }
        var bound = BoundQuery(source: root.scope.source)
        let shape = query.shape.dictionary
        if let shape { try bind(shape, into: &bound) }
        // Counting all rows needs no order.
        if !query.shape.isCount || query.limit > 0 || query.offset > 0 {
            bound.order = try bind(query.sort, shape: shape)
        }
        bound.limit = query.limit
        bound.offset = query.offset
        bound.source = root.scope.source
        return bound
    }

    /// Returns the condition that a row of a shared table is of the entity; nil where all rows are.
    private func entityCondition(includesSubentities: Bool) -> BoundCondition? {
        let family = schema.model[entity.root].family
        let wanted = entity.family(includingSubentities: includesSubentities)
        guard wanted != family else { return nil }
        let column = BoundExpression.column(
            BoundColumn(alias: root.key.alias, name: NameMangling.entity), .entity, isNullable: false)
        let numbers = wanted.compactMap { schema[$0]?.number }
        let values = numbers.map { BoundExpression.value(.integer($0), .entity) }
        return values.count == 1 ? .compare(column, .equal, values[0]) : .oneOf(column, values)
    }

    // MARK: Sorting

    mutating func bind(
        _ sort: [SortKey],
        shape: DictionaryShape?
    ) throws(StoreError) -> [BoundOrder] {
        var order: [BoundOrder] = []
        for key in sort {
            // Numbers have no collation, but may have a comparator.
            let collation = try collation(of: key)
            if let cell = shape?.columns.first(where: { [$0.name] == key.keys }),
                let number = cellNumbers[cell.name]
            {
                order.append(
                    BoundOrder(
                        criterion: .cell(number),
                        collation: cell.type == .string ? collation : nil,
                        isAscending: key.isAscending))
                continue
            }
            let expression = try column(.keyPath(operand: .evaluatedObject, keys: key.keys)).contents
            order.append(
                BoundOrder(
                    criterion: .expression(expression),
                    collation: expression.type.isText ? collation : nil,
                    isAscending: key.isAscending))
        }
        return order
    }

    private func collation(of key: SortKey) throws(StoreError) -> SortCollation? {
        switch key.collation {
        case .standard: return nil
        case .caseInsensitive: return .caseInsensitive
        case .localized: return .localized
        case .localizedCaseInsensitive: return .localizedCaseInsensitive
        case .localizedStandard: return .localizedStandard
        case .comparator:
            let path = key.keys.joined(separator: ".")
            throw StoreError(.inexpressible, "SQL cannot sort by a comparator (key path \(path))")
        }
    }

    // MARK: Dictionaries

    private mutating func bind(
        _ shape: DictionaryShape,
        into bound: inout BoundQuery
    ) throws(StoreError) {
        allowsAggregates = true
        defer { allowsAggregates = false }
        var expressions: [BoundExpression] = []
        for column in shape.columns {
            let cell = try bindCell(column.expression)
            cellNumbers[column.name] = expressions.count + 1
            expressions += cell
            cells[column.name] = cell[0]
        }
        bound.cells = expressions
        bound.isDistinct = shape.isDistinct
        for expression in shape.groupBy {
            bound.groupBy.append(try column(expression).contents)
        }
        if let having = shape.having { bound.having = try bind(having) }
    }

    /// Binds the value and, for a reference whose entity varies, the entity's number behind it.
    private mutating func bindCell(_ expression: ExpressionNode) throws(StoreError) -> [BoundExpression] {
        guard let end = try path(expression) else { return [try scalar(expression).contents] }
        let value = try column(single(end, in: expression), expression).contents
        guard let point = end.point, end.element == nil, let entity = entityExpression(of: point) else {
            return [value]
        }
        return [value, entity]
    }

    /// Returns the number of an object's concrete entity, where it may differ from the model's.
    private func entityExpression(of point: PathPoint) -> BoundExpression? {
        let name = point.isRow ? NameMangling.entity : point.entityColumn
        return name.map { .column(BoundColumn(alias: point.key.alias, name: $0), .entity) }
    }
}
