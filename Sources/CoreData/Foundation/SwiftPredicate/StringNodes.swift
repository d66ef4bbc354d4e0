import CoreDataPredicates
import CoreDataValues
import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
            throw translator.untranslatable(self, "only strings can be searched for parts")
        }
        return try translator.search(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type
        else {
            throw translator.untranslatable(self, "only strings have a beginning")
        }
        return try translator.search(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.StringContainsRegex: TranslatableExpression {
    /// Returns a `MATCHES` with the text of a regular expression literal: patterns that are valid in both
    /// dialects of regular expressions mean the same in both.
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        guard case .value(.string(let pattern))? = try translator.meaning(of: regex).constant else {
            throw translator.untranslatable(self, "the regular expression is not captured")
        }
        let whole = ExpressionNode.constant(.value(.string("(?s).*(?-s:\(pattern)).*")))
        return Meaning(.comparison(ComparisonNode(try translator.expression(of: subject), .matches, whole)))
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: TranslatableExpression {
    /// Returns the search. Unlike Swift's other searches, this one does not find the empty string.
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let (text, part) = (try translator.expression(of: root), try translator.expression(of: other))
        let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive, .localeSensitive]
        return Meaning(.comparison(ComparisonNode(text, .contains, part, options: options)))
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.order(root, other, .caseInsensitive)
    }
}

extension PredicateExpressions.StringLocalizedCompare: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.order(root, other, .localeSensitive)
    }
}

extension PredicateTranslator {
    /// Returns a search for a part of a text.
    ///
    /// Swift finds the empty string in every string, predicates find it in none.
    fileprivate func search(
        _ text: some PredicateExpression, _ operator: ComparisonOperator, _ part: some PredicateExpression
    ) throws(PredicateTranslationError) -> Meaning {
        let (text, part) = (try expression(of: text), try expression(of: part))
        let empty = ExpressionNode.constant(.value(.string("")))
        let isFound = PredicateNode.comparison(ComparisonNode(text, `operator`, part))
        if part == empty { return Meaning(PredicateNode.always) }
        if case .constant = part { return Meaning(isFound) }
        return Meaning(.any([isFound, .comparison(ComparisonNode(part, .equalTo, empty))]))
    }

    fileprivate func order(
        _ left: some PredicateExpression, _ right: some PredicateExpression, _ options: ComparisonOptions
    ) throws(PredicateTranslationError) -> Meaning {
        let (first, second) = (try expression(of: left), try expression(of: right))
        return Meaning(.order(ComparisonNode(first, .equalTo, second, options: options)))
    }
}
