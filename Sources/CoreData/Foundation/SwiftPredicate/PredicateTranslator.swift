import CoreDataPredicates
import Foundation

/// A node of a Swift predicate that has a counterpart in the language of predicates.
protocol TranslatableExpression {
    /// Returns the counterpart.
    func meaning(in translator: PredicateTranslator) throws(PredicateTranslationError) -> Meaning
}

/// A translator of the nodes of `#Predicate` and `#Expression` into predicate trees.
///
/// It is a value, so that a variable that a closure of the predicate binds is known within that closure only.
struct PredicateTranslator {
    private var bindings: [PredicateExpressions.VariableID: Meaning] = [:]
    private var depth = 0

    func meaning(
        of node: some PredicateExpression
    ) throws(PredicateTranslationError) -> Meaning {
        guard let translatable = node as? any TranslatableExpression else { throw untranslatable(node) }
        return try translatable.meaning(in: self)
    }

    /// Returns the condition that a node of type `Bool` stands for.
    func condition(
        of node: some PredicateExpression<Bool>
    ) throws(PredicateTranslationError) -> PredicateNode {
        try meaning(of: node).condition(of: node)
    }

    func expression(
        of node: some PredicateExpression
    ) throws(PredicateTranslationError) -> ExpressionNode {
        try meaning(of: node).expression(of: node)
    }

    func untranslatable(
        _ node: some PredicateExpression, _ reason: String? = nil
    ) -> PredicateTranslationError {
        PredicateTranslationError(node: node, reason: reason)
    }

    // MARK: Variables

    func binding(_ variable: PredicateExpressions.VariableID, to meaning: Meaning) -> PredicateTranslator {
        var inner = self
        inner.bindings[variable] = meaning
        return inner
    }

    /// Returns a translator for a closure over the elements of a collection, and the name that the element
    /// has in a subquery.
    func iterating(_ variable: PredicateExpressions.VariableID) -> (PredicateTranslator, name: String) {
        let name = "element\(depth == 0 ? "" : "\(depth + 1)")"
        var inner = binding(variable, to: Meaning(.variable(name)))
        inner.depth += 1
        return (inner, name)
    }

    func meaning(bound variable: PredicateExpressions.VariableID) -> Meaning? { bindings[variable] }
}

/// The reason why a Swift predicate cannot become an `NSPredicate`, or an expression an `NSExpression`: a
/// node without a counterpart.
///
/// Unlike Apple's: an addition.
public struct PredicateTranslationError: Error, CustomStringConvertible, LocalizedError {
    /// The name of the node's type in `PredicateExpressions`, such as `CollectionRangeSubscript`.
    public let node: String
    /// More on why it has no counterpart, if there is more to say.
    public let reason: String?

    init(node: some PredicateExpression, reason: String?) {
        let name = String(describing: type(of: node))
        self.node = String(name.prefix { $0 != "<" })
        self.reason = reason
    }

    /// The node and the reason in one sentence.
    public var description: String {
        "PredicateExpressions.\(node) has no translation" + (reason.map { ": \($0)" } ?? "")
    }

    /// The node and the reason in one sentence.
    public var errorDescription: String? { description }
}
