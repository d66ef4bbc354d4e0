import CoreDataValues

/// Trees in a normal form, for comparing them: numbers are equal whatever their type, as with `NSNumber`, and
/// lists are equal whether they were arguments or written in braces.
extension PredicateNode {
    package var normalized: PredicateNode { NodeRewriter(ExpressionNode.normalization).rewrite(self) }
}

extension ExpressionNode {
    package var normalized: ExpressionNode { NodeRewriter(Self.normalization).rewrite(self) }

    fileprivate static func normalization(_ node: ExpressionNode) -> ExpressionNode {
        guard case .constant(let value) = node else { return node }
        switch value {
        case .collection(let elements, true): return .aggregate(elements.map { normalization(.constant($0)) })
        // In the order in which they are printed.
        case .collection(let elements, false):
            let sorted = elements.sorted { NodePrinter.format($0) }
            return .aggregate(sorted.map { normalization(.constant($0)) })
        default: return .constant(PromotedNumber(value)?.normalized ?? value)
        }
    }
}

extension PromotedNumber {
    /// The value with whole numbers as integers, and with other numbers as doubles if nothing is lost.
    fileprivate var normalized: ExpressionValue {
        switch self {
        case .integer: return value
        case .double(let number): return Int64(exactly: number).map { .value(.integer($0)) } ?? value
        case .decimal(let number):
            let double = self.double
            guard Self.compare(.double(double), self) == 0,
                "\(number)" == NodePrinter.format(.value(.double(double)))
            else { return value }
            return PromotedNumber.double(double).normalized
        }
    }
}
