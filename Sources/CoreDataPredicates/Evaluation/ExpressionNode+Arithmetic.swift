import CoreDataValues
import Foundation

extension ExpressionNode {
    /// Returns a function of numbers. If an argument is null, so is the result.
    static func numeric(
        _ name: String
    ) -> (@Sendable ([ExpressionValue]) throws(EvaluationError) -> ExpressionValue)? {
        if let operation = operations[name] {
            return { arguments throws(EvaluationError) in
                try combine(operation, arguments[0], arguments[1], name)
            }
        }
        if let function = integral[name] {
            return { arguments throws(EvaluationError) in
                var numbers: [Int64] = []
                for argument in arguments {
                    if argument.isNull { return .null }
                    guard let number = PromotedNumber(argument)?.integer else {
                        throw .notANumber(argument.summary, function: name)
                    }
                    numbers.append(number)
                }
                return function(numbers).map { .value(.integer($0)) } ?? .null
            }
        }
        guard let function = real[name] else { return nil }
        return { arguments throws(EvaluationError) in
            var numbers: [PromotedNumber] = []
            for argument in arguments {
                if argument.isNull { return .null }
                guard let number = PromotedNumber(argument) else {
                    throw .notANumber(argument.summary, function: name)
                }
                numbers.append(number)
            }
            if keepsIntegers.contains(name), case .integer(let number) = numbers[0] {
                return .value(.integer(name == "abs:" ? Int64(clamping: number.magnitude) : number))
            }
            return .value(.double(function(numbers.map(\.double))))
        }
    }

    private static let operations: [String: PromotedNumber.Operation] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
    ]

    private static let keepsIntegers: Set<String> = ["abs:", "floor:", "ceiling:", "trunc:"]

    private static let integral: [String: @Sendable ([Int64]) -> Int64?] = [
        // Division by -1 is the only one that can overflow; its remainder is 0.
        "modulus:by:": { $0[1] == 0 ? nil : $0[1] == -1 ? 0 : $0[0] % $0[1] },
        "bitwiseAnd:with:": { $0[0] & $0[1] },
        "bitwiseOr:with:": { $0[0] | $0[1] },
        "bitwiseXor:with:": { $0[0] ^ $0[1] },
        "leftshift:by:": { $0[0] << $0[1] },
        "rightshift:by:": { $0[0] >> $0[1] },
        "onesComplement:": { ~$0[0] },
    ]

    private static let real: [String: @Sendable ([Double]) -> Double] = [
        "sqrt:": { $0[0].squareRoot() },
        "log:": { log10($0[0]) },
        "ln:": { log($0[0]) },
        "exp:": { exp($0[0]) },
        "raise:toPower:": { pow($0[0], $0[1]) },
        "abs:": { $0[0].magnitude },
        "floor:": { $0[0].rounded(.down) },
        "ceiling:": { $0[0].rounded(.up) },
        "trunc:": { $0[0].rounded(.towardZero) },
    ]

    /// Combines two numbers, or dates and seconds: a date and seconds give a date, and two dates give the
    /// seconds between them.
    private static func combine(
        _ operation: PromotedNumber.Operation,
        _ left: ExpressionValue,
        _ right: ExpressionValue,
        _ name: String
    ) throws(EvaluationError) -> ExpressionValue {
        if left.isNull || right.isNull { return .null }
        let isDate = (left.isDate, right.isDate)
        for side in [left, right] where side.seconds == nil {
            throw .notANumber(side.summary, function: name)
        }
        guard let first = left.seconds, let second = right.seconds,
            let result = PromotedNumber.apply(operation, first, second)
        else { return .null }
        let yieldsDate = isDate.0 != isDate.1 && (operation == .add || operation == .subtract)
        return yieldsDate
            ? .value(.date(Date(timeIntervalSinceReferenceDate: result.double))) : result.value
    }
}

extension ExpressionValue {
    fileprivate var isDate: Bool { if case .value(.date) = self { true } else { false } }

    /// The value as a number; for a date, its seconds since 2001.
    fileprivate var seconds: PromotedNumber? {
        if case .value(.date(let date)) = self { return .double(date.timeIntervalSinceReferenceDate) }
        return PromotedNumber(self)
    }
}
