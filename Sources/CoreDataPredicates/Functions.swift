import CoreDataValues
import Foundation

/// The functions of expressions, by their selector-like names.
enum Functions {
    static func call(
        _ name: String, on operand: ExpressionValue?, _ arguments: [ExpressionValue]
    ) -> ExpressionValue {
        let first = arguments.first ?? .null
        switch (name, arguments.count) {
        case ("count:", 1): return .value(.integer(Int64(first.elements.count)))
        case ("sum:", _): return sum(arguments.count == 1 ? first.elements : arguments)
        case ("average:", _): return average(arguments.count == 1 ? first.elements : arguments)
        case ("min:", _): return extreme(arguments.count == 1 ? first.elements : arguments, -1)
        case ("max:", _): return extreme(arguments.count == 1 ? first.elements : arguments, 1)
        case ("now", 0): return .value(.date(Date()))
        case ("random", 0): return .value(.double(Double.random(in: 0..<1)))
        case ("objectFrom:withIndex:", 2): return element(of: first, at: arguments[1])
        case ("castObject:toType:", 2): return cast(first, to: arguments[1])
        case ("noindex:", 1): return first
        case (_, 1): return unary(name, first)
        case (_, 2): return binary(name, first, arguments[1])
        default: return .null
        }
    }

    // MARK: Aggregates

    static func sum(_ values: [ExpressionValue]) -> ExpressionValue {
        values.filter { $0 != .null }.reduce(.value(.integer(0))) { binary("add:to:", $0, $1) }
    }

    static func average(_ values: [ExpressionValue]) -> ExpressionValue {
        let values = values.filter { $0 != .null }
        guard !values.isEmpty, case .value(let total) = sum(values), let number = ValueOrder.double(total)
        else {
            return .null
        }
        return .value(.double(number / Double(values.count)))
    }

    static func extreme(_ values: [ExpressionValue], _ sign: Int) -> ExpressionValue {
        values.filter { $0 != .null }.reduce(nil) { (best: ExpressionValue?, value) in
            guard let best else { return value }
            return ValueOrder.compare(value, best) == sign ? value : best
        } ?? .null
    }

    private static func element(of value: ExpressionValue, at index: ExpressionValue) -> ExpressionValue {
        let elements = value.elements
        switch index {
        case .value(.string("FIRST")): return elements.first ?? .null
        case .value(.string("LAST")): return elements.last ?? .null
        case .value(.string("SIZE")): return .value(.integer(Int64(elements.count)))
        case .value(.integer(let position)):
            return elements.indices.contains(Int(position)) ? elements[Int(position)] : .null
        default: return .null
        }
    }

    private static func cast(_ value: ExpressionValue, to type: ExpressionValue) -> ExpressionValue {
        guard case .value(let value) = value, case .value(.string(let type)) = type else { return .null }
        switch (type, value) {
        case ("NSDate", _):
            return ValueOrder.double(value).map { .value(.date(Date(timeIntervalSinceReferenceDate: $0))) }
                ?? .null
        case ("NSString", .string): return .value(value)
        case ("NSString", _): return value.foundationObject.map { .value(.string("\($0)")) } ?? .null
        case ("NSNumber", .string(let text)): return Double(text).map { .value(.double($0)) } ?? .null
        case ("NSNumber", .date(let date)): return .value(.double(date.timeIntervalSinceReferenceDate))
        default: return .value(value)
        }
    }

    // MARK: One operand

    private static func unary(_ name: String, _ value: ExpressionValue) -> ExpressionValue {
        if case .value(.string(let text)) = value {
            switch name {
            case "lowercase:": return .value(.string(text.lowercased()))
            case "uppercase:": return .value(.string(text.uppercased()))
            case "length:": return .value(.integer(Int64(text.utf16.count)))
            case "canonical:":
                return .value(
                    .string(StringComparison.folded(text, [.caseInsensitive, .diacriticInsensitive])))
            default: break
            }
        }
        guard case .value(let operand) = value else { return .null }
        if case .integer(let integer) = operand {
            switch name {
            case "abs:": return .value(.integer(abs(integer)))
            case "onesComplement:": return .value(.integer(~integer))
            case "floor:", "ceiling:", "trunc:": return value
            default: break
            }
        }
        guard let number = ValueOrder.double(operand) else { return .null }
        switch name {
        case "abs:": return .value(.double(abs(number)))
        case "sqrt:": return .value(.double(number.squareRoot()))
        case "log:": return .value(.double(log10(number)))
        case "ln:": return .value(.double(log(number)))
        case "exp:": return .value(.double(exp(number)))
        case "floor:": return .value(.double(number.rounded(.down)))
        case "ceiling:": return .value(.double(number.rounded(.up)))
        case "trunc:": return .value(.double(number.rounded(.towardZero)))
        default: return .null
        }
    }

    // MARK: Two operands

    private static func binary(
        _ name: String, _ left: ExpressionValue, _ right: ExpressionValue
    ) -> ExpressionValue {
        guard case .value(let left) = left, case .value(let right) = right else { return .null }
        if case .integer(let a) = left, case .integer(let b) = right, let result = integers(name, a, b) {
            return .value(.integer(result))
        }
        if let result = decimals(name, left, right) { return .value(.decimal(result)) }
        guard let a = ValueOrder.double(left), let b = ValueOrder.double(right) else { return .null }
        switch name {
        case "add:to:": return .value(.double(a + b))
        case "from:subtract:": return .value(.double(a - b))
        case "multiply:by:": return .value(.double(a * b))
        case "divide:by:": return b == 0 ? .null : .value(.double(a / b))
        case "modulus:by:": return b == 0 ? .null : .value(.double(a.truncatingRemainder(dividingBy: b)))
        case "raise:toPower:": return .value(.double(pow(a, b)))
        default: return .null
        }
    }

    /// Whole numbers stay whole, except in division; nil leaves overflow to the wider type.
    private static func integers(_ name: String, _ a: Int64, _ b: Int64) -> Int64? {
        func checked(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
            result.overflow ? nil : result.partialValue
        }
        return switch name {
        case "add:to:": checked(a.addingReportingOverflow(b))
        case "from:subtract:": checked(a.subtractingReportingOverflow(b))
        case "multiply:by:": checked(a.multipliedReportingOverflow(by: b))
        case "divide:by:": b != 0 && a % b == 0 ? a / b : nil
        case "modulus:by:": b == 0 ? nil : a % b
        case "bitwiseAnd:with:": a & b
        case "bitwiseOr:with:": a | b
        case "bitwiseXor:with:": a ^ b
        case "leftshift:by:": a << b
        case "rightshift:by:": a >> b
        default: nil
        }
    }

    private static func decimals(_ name: String, _ left: AttributeValue, _ right: AttributeValue) -> Decimal?
    {
        guard case .decimal = left.isDecimal ? left : right,
            let a = left.asDecimal, let b = right.asDecimal
        else { return nil }
        return switch name {
        case "add:to:": a + b
        case "from:subtract:": a - b
        case "multiply:by:": a * b
        case "divide:by:": b == 0 ? nil : a / b
        default: nil
        }
    }
}

extension AttributeValue {
    fileprivate var isDecimal: Bool { if case .decimal = self { true } else { false } }

    fileprivate var asDecimal: Decimal? {
        switch self {
        case .decimal(let value): value
        case .integer(let value): Decimal(value)
        case .double(let value): Decimal(value)
        default: nil
        }
    }
}
