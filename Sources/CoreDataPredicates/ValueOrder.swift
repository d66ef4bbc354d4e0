package import CoreDataValues
import Foundation

/// Equality and order of values, numbers across their types.
package enum ValueOrder {
    /// -1, 0, 1; nil when the values cannot be ordered.
    package static func compare(
        _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions = []
    ) -> Int? {
        guard case .value(let left) = left, case .value(let right) = right else { return nil }
        return compare(left, right, options)
    }

    package static func compare(
        _ left: AttributeValue, _ right: AttributeValue, _ options: ComparisonOptions = []
    ) -> Int? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return sign(left, right)
        case (.string(let left), .string(let right)): return StringComparison.order(left, right, options)
        case (.date(let left), .date(let right)): return sign(left, right)
        case (.uuid(let left), .uuid(let right)): return sign(left.uuidString, right.uuidString)
        case (.uri(let left), .uri(let right)): return sign(left.absoluteString, right.absoluteString)
        case (.decimal, _), (_, .decimal):
            guard let left = decimal(left), let right = decimal(right) else { return nil }
            return sign(left, right)
        default:
            guard let left = double(left), let right = double(right) else { return nil }
            return sign(left, right)
        }
    }

    private static func sign<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    package static func double(_ value: AttributeValue) -> Double? {
        switch value {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        case .date(let value): value.timeIntervalSinceReferenceDate
        default: nil
        }
    }

    private static func decimal(_ value: AttributeValue) -> Decimal? {
        switch value {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Decimal(value)
        case .double(let value): Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }

    package static func areEqual(
        _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions = []
    ) -> Bool {
        switch (left, right) {
        case (.value(.null), .value(.null)): return true
        case (.value(.null), .value), (.value, .value(.null)): return false
        case (.value(.string(let left)), .value(.string(let right))):
            return StringComparison.areEqual(left, right, options)
        case (.value(let leftValue), .value(let rightValue)):
            return leftValue == rightValue || compare(leftValue, rightValue, options) == 0
        default: return left == right
        }
    }
}
