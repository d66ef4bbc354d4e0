/// The printer of trees in the form of Apple's `predicateFormat`. Parsing the text gives an equal tree,
/// except where Apple's form loses information: `YES` is 1, whole doubles have no fraction, compounds of one
/// operand or none are simplified, and blocks, objects and binary values are only described.
package enum NodePrinter {
    package static func format(_ predicate: PredicateNode) -> String {
        switch predicate {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): format(comparison)
        case .compound(let logical, let operands): format(logical, operands)
        case .block(let block): "BLOCKPREDICATE(\(address(of: block)))"
        }
    }

    static func address(of object: AnyObject) -> String {
        "0x" + String(UInt(bitPattern: ObjectIdentifier(object).hashValue), radix: 16)
    }

    // MARK: Compounds

    private static func format(_ logical: LogicalOperator, _ operands: [PredicateNode]) -> String {
        switch (logical, operands.count) {
        case (.not, _): return "NOT " + operands.map(operand).joined(separator: " ")
        case (.and, 0): return "TRUEPREDICATE"
        case (.or, 0): return "FALSEPREDICATE"
        case (_, 1): return format(operands[0])
        default: return operands.map(operand).joined(separator: logical == .and ? " AND " : " OR ")
        }
    }

    /// Returns the text of a compound's operand. A compound inside another one is always in parentheses, even
    /// if the grammar does not need them.
    private static func operand(_ predicate: PredicateNode) -> String {
        guard case .compound(let logical, let operands) = predicate, logical == .not || operands.count > 1
        else { return format(predicate) }
        return "(\(format(predicate)))"
    }

    // MARK: Comparisons

    private static func format(_ comparison: ComparisonNode) -> String {
        let modifier =
            switch comparison.modifier {
            case .direct: ""
            case .any: "ANY "
            case .all: "ALL "
            }
        let sign = text(of: comparison.operator, selector: comparison.selector) + text(of: comparison.options)
        return "\(modifier)\(format(comparison.left)) \(sign) \(format(comparison.right))"
    }

    private static func text(of relation: ComparisonOperator, selector: String?) -> String {
        switch relation {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        case .customSelector: selector ?? "nil"
        }
    }

    private static func text(of options: ComparisonOptions) -> String {
        var letters = ""
        if options.contains(.caseInsensitive) { letters += "c" }
        if options.contains(.diacriticInsensitive) { letters += "d" }
        if options.contains(.normalized) { letters += "n" }
        if options.contains(.localeSensitive) { letters += "l" }
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}

extension PredicateNode: CustomStringConvertible {
    package var description: String { NodePrinter.format(self) }
}

extension ExpressionNode: CustomStringConvertible {
    package var description: String { NodePrinter.format(self) }
}
