import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// Full-text searches: `title matchesFullText: "words"` is a look-up in the index of the attribute's table.
extension QueryBinder {
    /// An attribute that is searched.
    private struct SearchedColumn {
        let point: PathPoint
        let collection: QueryScope?
        let name: SQLIdentifier
    }

    mutating func search(_ comparison: ComparisonNode) throws(StoreError) -> BoundCondition {
        let query = try query(of: comparison)
        let parts: [ExpressionNode] =
            if case .aggregate(let elements) = comparison.left { elements } else { [comparison.left] }
        var columns: [SearchedColumn] = []
        for part in parts { columns.append(try searchedColumn(part, in: comparison)) }
        guard comparison.modifier != .direct else { return try search(columns, for: query, in: comparison) }
        let isAny = comparison.modifier == .any
        var conditions: [BoundCondition] = []
        for column in columns {
            guard let scope = column.collection else {
                conditions.append(try search([column], for: query, in: comparison))
                continue
            }
            let condition = try find([column], query, in: comparison)
            scope.add(isAny ? condition : .isNotTrue(condition))
            conditions.append(isAny ? .exists(scope.source) : .not(.exists(scope.source)))
        }
        return isAny ? .or(conditions) : .and(conditions)
    }

    /// Returns the words to search for; nil where the comparison is with null.
    private mutating func query(of comparison: ComparisonNode) throws(StoreError) -> FullTextQuery? {
        switch try operand(comparison.right) {
        case .constant(.value(.string(let text))): return FullTextQuery(text)
        case .constant(.value(.null)): return nil
        case .constant: throw unsupported(comparison, "\(FullTextQuery.selector) needs a string on its right")
        default: throw inexpressible(comparison, "a full-text query has to be a constant in SQL")
        }
    }

    private mutating func searchedColumn(
        _ expression: ExpressionNode,
        in comparison: ComparisonNode
    ) throws(StoreError) -> SearchedColumn {
        guard case .keyPath(let operand, let keys) = expression, let key = keys.last else {
            throw inexpressible(comparison, "SQL searches attributes only")
        }
        let owner = keys.count == 1 ? operand : .keyPath(operand: operand, keys: Array(keys.dropLast()))
        guard let end = try path(owner), let point = end.point, end.element == nil,
            let slot = schema.model[point.entity].slot(named: key)
        else {
            // A key that does not exist is an error in `path`.
            _ = try path(expression)
            throw inexpressible(comparison, "SQL searches attributes only")
        }
        try schema.model.requireFullTextIndex(slot, of: schema.model[point.entity])
        let table = try storedTable(of: point.entity)
        guard let column = slot.column, table.columns.indices.contains(column) else {
            throw inexpressible(expression)
        }
        return SearchedColumn(point: point, collection: end.collection, name: table.columns[column].name)
    }

    private func search(
        _ columns: [SearchedColumn],
        for query: FullTextQuery?,
        in comparison: ComparisonNode
    ) throws(StoreError) -> BoundCondition {
        if columns.contains(where: { $0.collection != nil }) {
            throw unsupported(comparison, "to-many key not allowed here")
        }
        return try find(columns, query, in: comparison)
    }

    /// Returns the search in columns of one object, whose words count together.
    private func find(
        _ columns: [SearchedColumn],
        _ query: FullTextQuery?,
        in comparison: ComparisonNode
    ) throws(StoreError) -> BoundCondition {
        guard let point = columns.first?.point, columns.allSatisfy({ $0.point.key == point.key }) else {
            throw inexpressible(comparison, "SQL searches the attributes of one object only")
        }
        let names = columns.map(\.name)
        guard let table = schema.searchTables[try storedTable(of: point.entity).tableName],
            names.allSatisfy(table.columns.contains)
        else {
            throw inexpressible(comparison, "the store was opened read-only and has no full-text index")
        }
        guard let root = query?.root else { return .constant(false) }
        let condition = BoundCondition.search(point.key, table, columns: names, root)
        guard point.isNullable else { return condition }
        let key = BoundExpression.column(point.key, .reference(point.entity))
        return .all([.isNotNull(key), condition])
    }
}
