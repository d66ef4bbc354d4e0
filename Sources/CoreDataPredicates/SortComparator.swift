import CoreDataValues
import Foundation

/// The order that sort keys put objects in: null first, then by value.
package enum SortComparator {
    package static func areInIncreasingOrder(
        _ left: any KeyedValues, _ right: any KeyedValues, by keys: [SortKey]
    ) -> Bool {
        for key in keys {
            let a = KeyPathWalk.value(of: .object(left), key.keys[...])
            let b = KeyPathWalk.value(of: .object(right), key.keys[...])
            let order = compare(a, b, key.collation)
            if order != 0 { return (order < 0) == key.isAscending }
        }
        return false
    }

    package static func compare(
        _ left: ExpressionValue, _ right: ExpressionValue, _ collation: SortKey.Collation
    ) -> Int {
        switch (left, right) {
        case (.value(.null), .value(.null)): return 0
        case (.value(.null), _): return -1
        case (_, .value(.null)): return 1
        case (.value(.string(let a)), .value(.string(let b))): return compare(a, b, collation)
        case (.value(.data(let a)), .value(.data(let b))):
            return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        default: return ValueOrder.compare(left, right) ?? 0
        }
    }

    package static func compare(_ left: String, _ right: String, _ collation: SortKey.Collation) -> Int {
        switch collation {
        case .standard, .comparator:
            left == right ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        case .caseInsensitive: StringComparison.order(left, right, .caseInsensitive)
        case .localized: (left as NSString).localizedCompare(right).rawValue
        case .localizedCaseInsensitive: (left as NSString).localizedCaseInsensitiveCompare(right).rawValue
        case .localizedStandard: (left as NSString).localizedStandardCompare(right).rawValue
        }
    }
}
