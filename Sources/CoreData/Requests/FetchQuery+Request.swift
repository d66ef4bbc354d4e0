import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import Foundation

extension NSFetchRequest {
    /// Makes a request from a frozen one, for stores of an app's own class.
    convenience init(_ query: FetchQuery, in model: FrozenModel) {
        self.init(of: model.entity(query.entity))
        predicate = query.predicate.map { .predicate(for: $0) }
        sortDescriptors = query.sort.isEmpty ? nil : query.sort.map(KeySortDescriptor.init)
        fetchLimit = query.limit
        fetchOffset = query.offset
        includesSubentities = query.includesSubentities
        switch query.shape {
        case .rows: resultType = .managedObjectResultType
        case .references:
            resultType = .managedObjectResultType
            includesPropertyValues = false
        case .count: resultType = .countResultType
        case .dictionaries(let shape), .dictionaryCount(let shape):
            resultType = .dictionaryResultType
            propertiesToFetch = shape.columns.map(Self.property)
            propertiesToGroupBy = shape.groupBy.isEmpty ? nil : shape.groupBy.map(Self.property)
            havingPredicate = shape.having.map { .predicate(for: $0) }
            returnsDistinctResults = shape.isDistinct
        }
    }

    /// Returns a column that is a key path as its name, and any other column as a description.
    private static func property(_ column: DictionaryShape.Column) -> Any {
        if case .keyPath(.evaluatedObject, let keys) = column.expression,
            keys.joined(separator: ".") == column.name
        {
            return column.name
        }
        let description = NSExpressionDescription()
        description.name = column.name
        description.expression = NSExpression(node: column.expression)
        description.expressionResultType =
            NSAttributeType(column.type)
        return description
    }

    private static func property(_ expression: ExpressionNode) -> Any {
        if case .keyPath(.evaluatedObject, let keys) = expression { return keys.joined(separator: ".") }
        let description = NSExpressionDescription()
        description.expression = NSExpression(node: expression)
        return description
    }
}
