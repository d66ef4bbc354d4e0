extension PredicateNode {
    package func archive() throws(UnarchivableNode) -> NodeArchive {
        switch self {
        case .constant(let value): return NodeArchive(value ? "NSTruePredicate" : "NSFalsePredicate")
        case .compound(let logical, let operands):
            return NodeArchive(
                "NSCompoundPredicate",
                [
                    "NSCompoundPredicateType": .integer(Int64(logical.rawValue)),
                    "NSSubpredicates": .predicates(operands),
                ])
        case .comparison(let comparison):
            return NodeArchive(
                "NSComparisonPredicate",
                [
                    "NSLeftExpression": .expression(comparison.left),
                    "NSRightExpression": .expression(comparison.right),
                    "NSPredicateOperator": .comparisonOperator(comparison),
                ])
        case .block: throw UnarchivableNode(description: "a block predicate")
        }
    }
}

extension ComparisonNode {
    package var operatorArchive: NodeArchive {
        let type = NodeArchive.Field.integer(Int64(`operator`.rawValue))
        let modifier = NodeArchive.Field.integer(Int64(modifier.rawValue))
        let options = NodeArchive.Field.integer(Int64(options.rawValue))
        func string(_ className: String) -> NodeArchive {
            NodeArchive(className, ["NSOperatorType": type, "NSModifier": modifier, "NSFlags": options])
        }
        switch `operator` {
        case .equalTo, .notEqualTo:
            return NodeArchive(
                "NSEqualityPredicateOperator",
                [
                    "NSOperatorType": type, "NSModifier": modifier,
                    "NSNegate": .flag(`operator` == .notEqualTo),
                    "NSOptions": options,
                ])
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            return NodeArchive(
                "NSComparisonPredicateOperator",
                ["NSOperatorType": type, "NSModifier": modifier, "NSVariant": type, "NSOptions": options])
        case .beginsWith, .endsWith:
            return NodeArchive(
                "NSSubstringPredicateOperator",
                [
                    "NSOperatorType": type, "NSModifier": modifier, "NSFlags": options,
                    "NSSubstringPosition": .integer(`operator` == .beginsWith ? 0 : 1),
                ])
        case .customSelector:
            return NodeArchive(
                "NSCustomPredicateOperator",
                [
                    "NSOperatorType": type, "NSModifier": modifier,
                    "NSSelectorName": selector.map { .text($0) } ?? .null,
                ])
        case .in, .contains: return string("NSInPredicateOperator")
        case .like: return string("NSLikePredicateOperator")
        case .matches: return string("NSMatchingPredicateOperator")
        case .between: return string("NSBetweenPredicateOperator")
        }
    }
}
