import CoreDataPredicates
import CoreDataValues
import Foundation

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let name =
            switch op {
            case .add: "add:to:"
            case .subtract: "from:subtract:"
            case .multiply: "multiply:by:"
            @unknown default: throw translator.untranslatable(self, "the operator \(op) is not known")
            }
        return try translator.call(name, lhs, rhs)
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.call("divide:by:", lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.call("divide:by:", lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.call("modulus:by:", lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let operand = try translator.expression(of: wrapped)
        switch operand {
        case .constant(.value(.integer(let number))) where number != .min:
            return Meaning(.constant(.value(.integer(-number))))
        case .constant(.value(.double(let number))): return Meaning(.constant(.value(.double(-number))))
        default:
            let zero = ExpressionNode.constant(.value(.integer(0)))
            return Meaning(.function(operand: nil, name: "from:subtract:", arguments: [zero, operand]))
        }
    }
}

extension PredicateTranslator {
    fileprivate func call(
        _ name: String, _ left: some PredicateExpression, _ right: some PredicateExpression
    ) throws(PredicateTranslationError) -> Meaning {
        let arguments = [try expression(of: left), try expression(of: right)]
        return Meaning(.function(operand: nil, name: name, arguments: arguments))
    }
}
