import CoreDataValues
import Foundation

extension PredicateNode {
    /// Nil where a part has to be evaluated generally, for then the whole has.
    var bare: (any BareCondition)? {
        switch self {
        case .comparison(let comparison): return comparison.bare
        case .constant, .block: return nil
        case .compound(.not, let operands):
            // What is negated is false if any part is true.
            return Self.joined(operands[...], decidedBy: true).map(BareNegation.init)
        case .compound(.and, let operands): return Self.joined(operands[...], decidedBy: false)
        case .compound(.or, let operands): return Self.joined(operands[...], decidedBy: true)
        }
    }

    /// Joined by halves, so that long compounds do not become deep ones.
    private static func joined(
        _ operands: ArraySlice<PredicateNode>, decidedBy decision: Bool
    ) -> (any BareCondition)? {
        if operands.count < 2 { return operands.first?.bare }
        let middle = operands.startIndex + operands.count / 2
        guard let first = joined(operands[..<middle], decidedBy: decision),
            let second = joined(operands[middle...], decidedBy: decision)
        else { return nil }
        return BareJunction(first, second, decidedBy: decision)
    }
}

extension ComparisonNode {
    /// A key compared with a constant; nil for any other comparison.
    var bare: (any BareCondition)? {
        guard modifier == .direct, case .keyPath(.evaluatedObject, let keys) = left, keys.count == 1,
            !keys[0].hasPrefix("@"), keys[0].lowercased() != "self", case .constant(let constant) = right
        else { return nil }
        return bare(PropertyKey(keys[0]), constant)
    }

    private func bare(_ key: PropertyKey, _ constant: ExpressionValue) -> (any BareCondition)? {
        switch constant {
        case .value(.string(let text)):
            return TextTest(`operator`, text, options: options).map { BareText(key, $0) }
        case .value(.null):
            switch `operator` {
            case .equalTo: return BareAbsence(key, wanted: true)
            case .notEqualTo: return BareAbsence(key, wanted: false)
            default: return nil
            }
        case .value(.date(let date)):
            let seconds = date.timeIntervalSinceReferenceDate
            guard let accepted = AcceptedOrder(`operator`), !seconds.isNaN else { return nil }
            return BareDate(key, seconds, accepted)
        default:
            guard let accepted = AcceptedOrder(`operator`), let number = PromotedNumber(constant) else {
                return nil
            }
            if case .integer(let integer) = number { return BareInteger(key, integer, accepted) }
            return BareNumber(key, number, accepted)
        }
    }
}
