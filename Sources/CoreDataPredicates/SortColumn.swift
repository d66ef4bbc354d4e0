import CoreDataValues
import Foundation

/// The values of one sort criterion, one for each object, prepared for many comparisons. They are unboxed if
/// all are of the same type and that type has an order.
enum SortColumn {
    case integers([Int64])
    /// Numbers, or dates as seconds; none is NaN.
    case doubles([Double])
    /// Texts that are compared by bytes; they are folded if case is ignored.
    case texts([String])
    case values([ExpressionValue], SortKey.Collation)

    init(_ values: [ExpressionValue], _ collation: SortKey.Collation) {
        self = Self.bare(values, collation) ?? .values(values, collation)
    }

    /// Returns -1, 0 or 1 for the values at two positions.
    func order(_ left: Int, _ right: Int) -> Int {
        switch self {
        case .integers(let values): Self.order(values[left], values[right])
        case .doubles(let values): Self.order(values[left], values[right])
        case .texts(let values): StringComparison.compare(values[left], values[right], options: [])
        case .values(let values, let collation): collation.order(values[left], values[right])
        }
    }

    @inline(__always)
    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    private static func bare(_ values: [ExpressionValue], _ collation: SortKey.Collation) -> SortColumn? {
        if case .comparator = collation { return nil }
        switch values.first {
        case .value(.integer):
            return all(values) { if case .value(.integer(let number)) = $0 { number } else { nil } }
                .map(SortColumn.integers)
        case .value(.double):
            return all(values) {
                if case .value(.double(let number)) = $0, !number.isNaN { number } else { nil }
            }.map(SortColumn.doubles)
        case .value(.date):
            return all(values) { value in
                guard case .value(.date(let date)) = value else { return nil }
                let seconds = date.timeIntervalSinceReferenceDate
                return seconds.isNaN ? nil : seconds
            }.map(SortColumn.doubles)
        case .value(.string):
            let options: ComparisonOptions
            switch collation {
            case .standard: options = []
            case .caseInsensitive: options = .caseInsensitive
            default: return nil
            }
            return all(values) { value in
                guard case .value(.string(let text)) = value else { return nil }
                return StringComparison.foldedKey(text, options: options)
            }.map(SortColumn.texts)
        default: return nil
        }
    }

    /// Returns the results of a body for all values; nil if it returns nil for one of them.
    private static func all<Value>(
        _ values: [ExpressionValue], _ body: (ExpressionValue) -> Value?
    ) -> [Value]? {
        var result: [Value] = []
        result.reserveCapacity(values.count)
        for value in values {
            guard let value = body(value) else { return nil }
            result.append(value)
        }
        return result
    }
}
