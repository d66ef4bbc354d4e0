import CoreDataPredicates
import Foundation

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let wrapped = try translator.meaning(of: wrapped)
        if wrapped.isNil { return .nil }
        var result = try translator.binding(variable.key, to: wrapped.unwrapped).meaning(of: transform)
        if case .expression(let value) = result.form, !wrapped.isPresent,
            !value.isNil(ifNil: try wrapped.expression(of: self))
        {
            result.form = .expression(.choice(wrapped.presence, value, .constant(.null)))
        }
        result.presence = .all([wrapped.presence, result.presence])
        return result
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let (value, substitute) = (try translator.meaning(of: lhs), try translator.meaning(of: rhs))
        if value.isPresent { return value }
        if value.isNil { return substitute }
        return try .choice(value.presence, value.unwrapped, substitute, of: self)
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    /// Returns a value for which no condition is true where Swift would trap.
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let wrapped = try translator.meaning(of: inner)
        guard case .condition = wrapped.form else { return wrapped.unwrapped }
        return Meaning(try wrapped.condition(of: self))
    }
}
