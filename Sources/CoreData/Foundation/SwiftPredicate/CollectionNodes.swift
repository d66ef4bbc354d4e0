import CoreDataPredicates
import CoreDataValues
import Foundation

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let (collection, element) = (
            try translator.meaning(of: sequence), try translator.meaning(of: element)
        )
        switch collection.form {
        case .range(let bounds): return Meaning(bounds.contains(try element.expression(of: self)))
        case .list(let elements):
            var found: [PredicateNode] = []
            for (other, isIncluded) in elements {
                found.append(.all([isIncluded, try translator.equality(of: element, and: other, in: self)]))
            }
            return Meaning(.any(found))
        default:
            let (list, element) = (try collection.expression(of: self), try element.expression(of: self))
            // `IN` has a captured list on its right, `CONTAINS` a relationship on its left.
            if case .constant = list { return Meaning(.comparison(ComparisonNode(element, .in, list))) }
            return Meaning(.comparison(ComparisonNode(list, .contains, element)))
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let found = try translator.elements(of: sequence, variable.key, where: test)
        switch found {
        case .listed(let elements): return Meaning(.any(elements.map { .all([$0.isIncluded, $0.passes]) }))
        case .subquery(let subquery):
            return Meaning(.comparison(ComparisonNode(subquery.appending("@count"), .greaterThan, .zero)))
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    /// Returns the condition that no element fails the test.
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        switch try translator.elements(of: sequence, variable.key, where: test, passing: false) {
        case .listed(let elements):
            return Meaning(PredicateNode.any(elements.map { .all([$0.isIncluded, $0.passes]) }).negated)
        case .subquery(let subquery):
            return Meaning(.comparison(ComparisonNode(subquery.appending("@count"), .equalTo, .zero)))
        }
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        switch try translator.elements(of: sequence, variable.key, where: filter) {
        case .listed(let elements):
            return Meaning(.list(elements.map { ($0.element, .all([$0.isIncluded, $0.passes])) }))
        case .subquery(let subquery): return Meaning(subquery)
        }
    }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.extreme("min:", of: elements)
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.extreme("max:", of: elements)
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        let (list, position) = (
            try translator.expression(of: wrapped), try translator.expression(of: index)
        )
        let element = ExpressionNode.function(
            operand: nil, name: "objectFrom:withIndex:", arguments: [list, position])
        return Meaning(element, of: Output.self)
    }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableExpression {
    /// Returns a choice among the values of a captured dictionary by key.
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.entry(of: wrapped, at: key, otherwise: .nil, in: self)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableExpression {
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning {
        try translator.entry(of: wrapped, at: key, otherwise: translator.meaning(of: `default`), in: self)
    }
}

/// The elements of a collection that pass a test, or that fail it.
private enum TestedElements {
    /// Captured elements, each with the condition that has to hold for it.
    case listed([(element: Meaning, isIncluded: PredicateNode, passes: PredicateNode)])
    case subquery(ExpressionNode)
}

extension PredicateTranslator {
    fileprivate func elements(
        of sequence: some PredicateExpression, _ variable: PredicateExpressions.VariableID,
        where test: some PredicateExpression<Bool>, passing: Bool = true
    ) throws(PredicateTranslationError) -> TestedElements {
        let collection = try meaning(of: sequence)
        var known: [(element: Meaning, isIncluded: PredicateNode)]?
        switch collection.form {
        case .list(let elements): known = elements
        case .expression(.constant(.collection(let values, _))):
            known = values.map { (Meaning(constant: $0), .always) }
        default: break
        }
        if let known {
            var tested: [(element: Meaning, isIncluded: PredicateNode, passes: PredicateNode)] = []
            for (element, isIncluded) in known {
                let passes = try binding(variable, to: element).condition(of: test)
                tested.append((element, isIncluded, passing ? passes : passes.negated))
            }
            return .listed(tested)
        }
        let (inner, name) = iterating(variable)
        let condition = try inner.condition(of: test)
        let chosen = passing ? condition : condition.negated
        let list = try collection.expression(of: sequence)
        return .subquery(.subquery(collection: list, variable: name, predicate: chosen.simplified))
    }

    fileprivate func extreme(
        _ function: String, of elements: some PredicateExpression
    ) throws(PredicateTranslationError) -> Meaning {
        var list = try meaning(of: elements).expression(of: elements)
        if case .constant(.collection(let values, _)) = list {
            list = .aggregate(values.map(ExpressionNode.constant))
        }
        if case .aggregate(let values) = list {
            if values.isEmpty { return .nil }
            return Meaning(.function(operand: nil, name: function, arguments: [list]))
        }
        let value = ExpressionNode.function(operand: nil, name: function, arguments: [list])
        return Meaning(value, presence: .isNotNil(value))
    }

    fileprivate func entry(
        of dictionary: some PredicateExpression, at key: some PredicateExpression, otherwise: Meaning,
        in node: some PredicateExpression
    ) throws(PredicateTranslationError) -> Meaning {
        guard case .object(let object)? = try meaning(of: dictionary).constant,
            let entries = (object as? KeyedDictionary)?.dictionary
        else { throw untranslatable(node, "the dictionary is not captured") }
        let key = try meaning(of: key)
        var result = otherwise
        for (name, value) in entries {
            let isKey = try equality(of: key, and: Meaning(capturing: name), in: node)
            result = try .choice(isKey, Meaning(capturing: value), result, of: node)
        }
        return result
    }
}

extension ExpressionNode {
    fileprivate static let zero = ExpressionNode.constant(.value(.integer(0)))
}
