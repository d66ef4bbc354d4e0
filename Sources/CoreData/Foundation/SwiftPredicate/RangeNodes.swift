import CoreDataPredicates
import Foundation

extension PredicateExpressions.Range: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.range(lower, upper, includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.range(lower, upper, includesUpper: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        guard case .range(let bounds) = try translator.meaning(of: range).form else {
            throw translator.untranslatable(self, "the bounds of the range are not known")
        }
        return Meaning(bounds.contains(try translator.expression(of: element)))
    }
}

extension PredicateTranslator {
    fileprivate func range(
        _ lower: some PredicateExpression, _ upper: some PredicateExpression, includesUpper: Bool
    ) throws(PredicateTranslationError) -> Meaning {
        let bounds = RangeBounds(
            lower: try expression(of: lower), upper: try expression(of: upper), includesUpper: includesUpper)
        return Meaning(.range(bounds))
    }
}
