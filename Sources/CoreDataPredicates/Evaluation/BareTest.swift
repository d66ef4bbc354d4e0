import CoreDataValues
import Foundation

/// A value read in place, which is passed on without a copy or reference counting.
@frozen @usableFromInline package enum BareValue {
    case null
    case integer(Int64)
    case double(Double)
    /// A date in seconds since 2001.
    case date(Double)
    /// UTF-8 bytes in the memory of the value's owner.
    case text(UnsafeBufferPointer<UInt8>)
    /// A value of any other kind, which needs the general evaluation.
    case other
}

/// A comparison of values read in place with a constant. It is not copyable, so that using it never retains
/// the text it searches for.
struct BareTest: ~Copyable {
    private enum Constant: ~Copyable {
        case number(PromotedNumber)
        /// A date in seconds since 2001.
        case date(Double)
        case null
        case text(TextTest)
    }

    private let constant: Constant
    let accepted: AcceptedOrder

    /// Makes the test of a comparison; nil for a comparison that cannot be decided by values read in place.
    init?(_ comparison: ComparisonNode) {
        guard case .constant(let constant) = comparison.right else { return nil }
        let order = AcceptedOrder(comparison.operator)
        switch constant {
        case .value(.string(let text)):
            guard let test = TextTest(comparison.operator, text, options: comparison.options) else {
                return nil
            }
            accepted = test.holdsForNull ? .null : []
            self.constant = .text(test)
        case .value(.null):
            switch comparison.operator {
            case .equalTo: accepted = .null
            case .notEqualTo: accepted = .equal
            default: return nil
            }
            self.constant = .null
        case .value(.date(let date)):
            let seconds = date.timeIntervalSinceReferenceDate
            guard let order, !seconds.isNaN else { return nil }
            accepted = order
            self.constant = .date(seconds)
        default:
            guard let order, let number = PromotedNumber(constant) else { return nil }
            accepted = order
            self.constant = .number(number)
        }
    }

    /// The constant, if it is an integer.
    var integer: Int64? {
        switch constant {
        case .number(.integer(let value)): value
        default: nil
        }
    }

    /// Returns whether the comparison holds; nil for a value of another kind than the constant.
    func holds(for value: BareValue) -> Bool? {
        if case .null = value { return accepted.contains(.null) }
        switch constant {
        case .number(let constant): return holds(for: value, comparedWith: constant)
        case .date(let constant):
            guard case .date(let value) = value, !value.isNaN else { return nil }
            return accepted.contains(AcceptedOrder(value, constant))
        case .null:
            if case .other = value { return nil }
            return accepted.contains(.equal)
        case .text(let test):
            guard case .text(let value) = value else { return nil }
            return test.holds(for: value)
        }
    }

    private func holds(for value: BareValue, comparedWith constant: PromotedNumber) -> Bool? {
        let number: PromotedNumber
        switch value {
        case .integer(let value): number = .integer(value)
        case .double(let value): number = .double(value)
        case .null, .date, .text, .other: return nil
        }
        return accepted.contains(AcceptedOrder(PromotedNumber.compare(number, constant)))
    }
}
