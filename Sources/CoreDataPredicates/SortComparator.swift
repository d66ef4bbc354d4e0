import CoreDataValues
import Foundation

/// The order of objects in memory by several criteria. Null comes before everything else, as in SQLite.
package struct SortComparator: Sendable {
    private let criteria: [SortKey]

    package init(_ keys: [SortKey]) {
        criteria = keys
    }

    package func order(
        _ left: ExpressionValue,
        _ right: ExpressionValue
    ) throws(EvaluationError) -> Int {
        for criterion in criteria {
            let order = try criterion.collation.order(
                left.value(at: criterion.keys[...]), right.value(at: criterion.keys[...]))
            if order != 0 { return criterion.isAscending ? order : -order }
        }
        return 0
    }

    /// Returns the objects in sorted order. The sort is stable and reads every key of every object once.
    package func sorted<Object: KeyedValues>(_ objects: [Object]) throws(EvaluationError) -> [Object] {
        var columns: [(column: SortColumn, isAscending: Bool)] = []
        for criterion in criteria {
            var values: [ExpressionValue] = []
            values.reserveCapacity(objects.count)
            for object in objects {
                values.append(try ExpressionValue.object(object).value(at: criterion.keys[...]))
            }
            columns.append((SortColumn(values, criterion.collation), criterion.isAscending))
        }
        var indices = Array(objects.indices)
        indices.sort { left, right in
            for (column, isAscending) in columns {
                let order = column.order(left, right)
                if order != 0 { return (order < 0) == isAscending }
            }
            return left < right
        }
        return indices.map { objects[$0] }
    }
}

extension SortKey.Collation {
    /// Returns -1, 0 or 1. Values that have no order count as equal.
    package func order(_ left: ExpressionValue, _ right: ExpressionValue) -> Int {
        if left.isNull || right.isNull { return left.isNull == right.isNull ? 0 : left.isNull ? -1 : 1 }
        if case .comparator(let block) = self, let first = left.unboxed, let second = right.unboxed {
            return block.compare(first, second)
        }
        if case .value(.string(let first)) = left, case .value(.string(let second)) = right {
            return order(first, second)
        }
        return ValueComparison.order(left, right) ?? 0
    }

    /// Returns -1, 0 or 1. The localized orders call Foundation, which takes about a microsecond for two
    /// strings.
    package func order(_ left: String, _ right: String) -> Int {
        switch self {
        case .standard, .comparator: StringComparison.compare(left, right, options: [])
        case .caseInsensitive: StringComparison.compare(left, right, options: .caseInsensitive)
        case .localized: left.localizedCompare(right).rawValue
        case .localizedCaseInsensitive: left.localizedCaseInsensitiveCompare(right).rawValue
        case .localizedStandard: left.localizedStandardCompare(right).rawValue
        }
    }
}
