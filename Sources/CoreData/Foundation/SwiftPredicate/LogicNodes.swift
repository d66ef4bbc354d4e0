import CoreDataPredicates
import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        Meaning(.all([try translator.condition(of: lhs), try translator.condition(of: rhs)]))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        Meaning(.any([try translator.condition(of: lhs), try translator.condition(of: rhs)]))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        Meaning(try translator.condition(of: wrapped).negated)
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let test = try translator.condition(of: test)
        let (first, second) = (
            try translator.meaning(of: trueBranch), try translator.meaning(of: falseBranch)
        )
        return try .choice(test, first, second, of: self)
    }
}

extension Meaning {
    /// Returns the choice between two values of one type by a condition.
    static func choice(
        _ test: PredicateNode, _ first: Meaning, _ second: Meaning, of node: some PredicateExpression
    ) throws(PredicateTranslationError) -> Meaning {
        func either(_ one: PredicateNode, _ other: PredicateNode) -> PredicateNode {
            one == other ? one : .any([.all([test, one]), .all([test.negated, other])])
        }
        let presence = either(first.presence, second.presence)
        if let one = first.truth, let other = second.truth {
            return Meaning(either(one, other), presence: presence)
        }
        let value = ExpressionNode.choice(
            test, try first.expression(of: node), try second.expression(of: node))
        return Meaning(value, presence: presence)
    }

    /// The meaning as a condition; nil, which may have the type `Bool?`, is false.
    private var truth: PredicateNode? {
        if isNil { return .never }
        if case .condition(let condition) = form { return condition }
        return nil
    }
}
