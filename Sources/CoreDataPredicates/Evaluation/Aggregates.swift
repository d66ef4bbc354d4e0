import CoreDataValues
import Foundation

/// The aggregation of many values into one, for collection operators and functions. Null counts as zero where
/// numbers are added, and is left out where values are compared.
package enum Aggregates {
    static func sum(_ values: [ExpressionValue]) throws(EvaluationError) -> ExpressionValue {
        try total(values, "@sum").value
    }

    static func average(_ values: [ExpressionValue]) throws(EvaluationError) -> ExpressionValue {
        if values.isEmpty { return .value(.integer(0)) }
        switch try total(values, "@avg") {
        case .decimal(let sum): return .value(.decimal(sum / Decimal(values.count)))
        case let sum: return .value(.double(sum.double / Double(values.count)))
        }
    }

    static func minimum(_ values: [ExpressionValue]) -> ExpressionValue {
        extreme(values) { $0 < 0 }
    }

    static func maximum(_ values: [ExpressionValue]) -> ExpressionValue {
        extreme(values) { $0 > 0 }
    }

    package static func median(_ values: [ExpressionValue]) throws(EvaluationError) -> ExpressionValue {
        let sorted = try numbers(values, "median:").map(\.double).sorted()
        if sorted.isEmpty { return .null }
        let middle = sorted.count / 2
        let isOdd = sorted.count % 2 == 1
        return .value(.double(isOdd ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2))
    }

    /// Returns the most frequent value; if several are equally frequent, the first of them.
    package static func mode(_ values: [ExpressionValue]) -> ExpressionValue {
        var counts: [ExpressionValue: Int] = [:]
        for value in values where !value.isNull { counts[value, default: 0] += 1 }
        let highest = counts.values.max()
        return values.first { counts[$0] == highest } ?? .null
    }

    /// Returns the population standard deviation.
    package static func deviation(_ values: [ExpressionValue]) throws(EvaluationError) -> ExpressionValue {
        let numbers = try numbers(values, "stddev:").map(\.double)
        if numbers.isEmpty { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .value(.double((squares / Double(numbers.count)).squareRoot()))
    }

    // MARK: Parts

    private static func total(
        _ values: [ExpressionValue],
        _ name: String
    ) throws(EvaluationError) -> PromotedNumber {
        var sum = PromotedNumber.integer(0)
        for number in try numbers(values, name) { sum = PromotedNumber.apply(.add, sum, number) ?? sum }
        return sum
    }

    private static func numbers(
        _ values: [ExpressionValue],
        _ name: String
    ) throws(EvaluationError) -> [PromotedNumber] {
        var numbers: [PromotedNumber] = []
        for value in values where !value.isNull {
            guard let number = PromotedNumber(value) else {
                throw .notANumber(value.summary, function: name)
            }
            numbers.append(number)
        }
        return numbers
    }

    private static func extreme(_ values: [ExpressionValue], _ wins: (Int) -> Bool) -> ExpressionValue {
        var best: ExpressionValue?
        for value in values where !value.isNull {
            guard let current = best else {
                best = value
                continue
            }
            if let order = ValueComparison.order(value, current), wins(order) { best = value }
        }
        return best ?? .null
    }
}
