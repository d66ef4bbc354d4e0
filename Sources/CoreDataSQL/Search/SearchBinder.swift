import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The binding of full-text searches: `title matchesFullText: "words"` is a look-up in the index of the
/// attribute's table.
struct SearchBinder {
    let comparison: ComparisonNode
    let scope: BindingScope

    /// An attribute that is searched.
    private struct SearchedColumn {
        let point: PathPoint
        let collection: SelectBuilder?
        let name: SQLIdentifier
    }

    func bind() throws(StoreError) -> BoundCondition {
        let query = try query()
        let parts: [ExpressionNode] =
            if case .aggregate(let elements) = comparison.left { elements } else { [comparison.left] }
        var columns: [SearchedColumn] = []
        for part in parts { columns.append(try searchedColumn(part)) }
        guard comparison.modifier != .direct else { return try search(columns, for: query) }
        let isAny = comparison.modifier == .any
        var conditions: [BoundCondition] = []
        for column in columns {
            guard let select = column.collection else {
                conditions.append(try search([column], for: query))
                continue
            }
            let condition = try find([column], query)
            select.add(isAny ? condition : .isNotTrue(condition))
            conditions.append(isAny ? .exists(select.source) : .not(.exists(select.source)))
        }
        return isAny ? .or(conditions) : .and(conditions)
    }

    /// Returns the query; nil if the comparison is with null.
    private func query() throws(StoreError) -> FullTextQuery? {
        switch try scope.expressions.operand(comparison.right) {
        case .constant(.value(.string(let text))): return FullTextQuery(text)
        case .constant(.value(.null)): return nil
        case .constant:
            throw .unsupported(comparison, "\(FullTextQuery.selector) needs a string on its right")
        default: throw .inexpressible(comparison, "a full-text query has to be a constant in SQL")
        }
    }

    private func searchedColumn(_ expression: ExpressionNode) throws(StoreError) -> SearchedColumn {
        guard let (owner, key) = expression.lastStep else {
            throw .inexpressible(comparison, "SQL searches attributes only")
        }
        let schema = scope.schema
        guard let end = try scope.paths.end(of: owner), let point = end.point, end.element == nil,
            let slot = schema.model[point.entity].slot(named: key)
        else {
            // For a key that does not exist, this throws the usual error.
            _ = try scope.paths.end(of: expression)
            throw .inexpressible(comparison, "SQL searches attributes only")
        }
        try schema.model.requireFullTextIndex(slot, of: schema.model[point.entity])
        let table = try schema.table(of: point.entity)
        guard let column = slot.column, table.columns.indices.contains(column) else {
            throw .inexpressible(expression)
        }
        return SearchedColumn(point: point, collection: end.collection, name: table.columns[column].name)
    }

    private func search(
        _ columns: [SearchedColumn],
        for query: FullTextQuery?
    ) throws(StoreError) -> BoundCondition {
        if columns.contains(where: { $0.collection != nil }) {
            throw .unsupported(comparison, "to-many key not allowed here")
        }
        return try find(columns, query)
    }

    /// Returns the search in columns of one object, where each word may be in any of the columns.
    private func find(
        _ columns: [SearchedColumn],
        _ query: FullTextQuery?
    ) throws(StoreError) -> BoundCondition {
        guard let point = columns.first?.point, columns.allSatisfy({ $0.point.key == point.key }) else {
            throw .inexpressible(comparison, "SQL searches the attributes of one object only")
        }
        let names = columns.map(\.name)
        let schema = scope.schema
        guard let table = schema.searchTables[try schema.table(of: point.entity).tableName],
            names.allSatisfy(table.columns.contains)
        else {
            throw .inexpressible(comparison, "the store has no full-text index")
        }
        guard let root = query?.root else { return .constant(false) }
        guard scope.frame.dialect.canSearch(root) else {
            throw .inexpressible(comparison, "the full-text index has no order of words")
        }
        let condition = BoundCondition.search(point.key, table, columns: names, root)
        guard point.isNullable else { return condition }
        let key = BoundExpression.column(point.key, .reference(point.entity))
        return .all([.isNotNull(key), condition])
    }
}
