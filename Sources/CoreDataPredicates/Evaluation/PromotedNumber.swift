import CoreDataValues
package import Foundation

/// A number of any stored type. Two numbers are combined in the wider type: integers stay integers; with a
/// decimal, both become decimals unless one is a double. Integers are compared with doubles exactly.
package enum PromotedNumber: Sendable {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    package init?(_ value: ExpressionValue) {
        switch value {
        case .value(.boolean(let flag)): self = .integer(flag ? 1 : 0)
        case .value(.integer(let number)): self = .integer(number)
        case .value(.double(let number)): self = .double(number)
        case .value(.decimal(let number)): self = .decimal(number)
        default: return nil
        }
    }

    package var double: Double {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        }
    }

    package var decimal: Decimal {
        switch self {
        case .integer(let number): Decimal(number)
        case .double(let number): Decimal(anyOf: number)
        case .decimal(let number): number
        }
    }

    /// The number rounded towards zero; nil if it is out of range.
    package var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .double, .decimal: Int64(exactly: double.rounded(.towardZero))
        }
    }

    package var value: ExpressionValue {
        switch self {
        case .integer(let number): .value(.integer(number))
        case .double(let number): .value(.double(number))
        case .decimal(let number): .value(.decimal(number))
        }
    }

    // MARK: Order

    /// Returns -1, 0 or 1; nil if a side is not a number.
    package static func compare(_ left: PromotedNumber, _ right: PromotedNumber) -> Int? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.decimal, _) where !right.double.isNaN, (_, .decimal) where !left.double.isNaN:
            guard left.double.isFinite, right.double.isFinite else {
                return compare(left.double, right.double)
            }
            let (first, second) = (left.decimal, right.decimal)
            return first < second ? -1 : first > second ? 1 : 0
        case (.integer(let left), .double(let right)): return compare(left, right)
        case (.double(let left), .integer(let right)): return compare(right, left).map { -$0 }
        default: return compare(left.double, right.double)
        }
    }

    private static func compare(_ left: Double, _ right: Double) -> Int? {
        if left.isNaN || right.isNaN { return nil }
        return left < right ? -1 : left > right ? 1 : 0
    }

    /// Compares exactly: beyond 2^53 a conversion to double would make different numbers equal.
    private static func compare(_ left: Int64, _ right: Double) -> Int? {
        if right.isNaN { return nil }
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        let whole = Int64(right.rounded(.down))
        if left != whole { return left < whole ? -1 : 1 }
        return right > Double(whole) ? -1 : 0
    }

    // MARK: Arithmetic

    package enum Operation: Sendable { case add, subtract, multiply, divide }

    /// Returns the result of an operation. Integers that overflow become doubles; a division of integers by
    /// zero yields nil.
    package static func apply(
        _ operation: Operation,
        _ left: PromotedNumber,
        _ right: PromotedNumber
    ) -> PromotedNumber? {
        switch (left, right) {
        case (.integer(let first), .integer(let second)):
            if operation == .divide, second == 0 { return nil }
            let (result, overflows) = apply(operation, first, second)
            return overflows ? .double(apply(operation, left.double, right.double)) : .integer(result)
        case (.double, _), (_, .double): return .double(apply(operation, left.double, right.double))
        default: return apply(operation, left.decimal, right.decimal).map { .decimal($0) }
        }
    }

    private static func apply(_ operation: Operation, _ left: Int64, _ right: Int64) -> (Int64, Bool) {
        switch operation {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide: left.dividedReportingOverflow(by: right)
        }
    }

    private static func apply(_ operation: Operation, _ left: Double, _ right: Double) -> Double {
        switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: left / right
        }
    }

    private static func apply(_ operation: Operation, _ left: Decimal, _ right: Decimal) -> Decimal? {
        switch operation {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: right == 0 ? nil : left / right
        }
    }
}
