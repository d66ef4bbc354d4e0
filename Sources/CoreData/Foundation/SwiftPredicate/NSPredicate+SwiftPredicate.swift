import CoreDataPredicates
public import Foundation

extension PredicateFormatInitializable {
    /// Makes a predicate for requests of a Swift predicate; nil if a node of it has no translation.
    ///
    /// `init(translating:)` says which.
    ///
    /// Unlike Apple's: what the `#Predicate` macro of Foundation on Linux has no nodes for cannot be written:
    /// evaluating another predicate, and leading dots (`.orderedSame`) without a captured constant.
    public init?<Input: NSObject>(_ predicate: Predicate<Input>) {
        guard let translated = try? NSPredicate.translated(predicate) else { return nil }
        self = translated as! Self
    }

    /// Makes a predicate for requests of a Swift predicate.
    ///
    /// - Throws: `PredicateTranslationError`, which names the node without a translation.
    ///
    /// Unlike Apple's: an addition.
    public init<Input: NSObject>(translating predicate: Predicate<Input>) throws(PredicateTranslationError) {
        self = try NSPredicate.translated(predicate) as! Self
    }
}

extension NSPredicate {
    /// Returns the predicate for requests of a Swift predicate on any kind of model.
    package static func translated<Input>(
        _ predicate: Predicate<Input>
    ) throws(PredicateTranslationError) -> NSPredicate {
        let translator = PredicateTranslator().binding(predicate.variable.key, to: Meaning(.evaluatedObject))
        return .predicate(for: try translator.condition(of: predicate.expression).simplified)
    }
}

extension NSExpression {
    /// Makes an expression of a Swift expression; nil if a node of it has no translation.
    ///
    /// `init(translating:)` says which.
    public convenience init?<Input: NSObject, Output>(_ expression: Foundation.Expression<Input, Output>) {
        guard let node = try? Self.translated(expression) else { return nil }
        self.init(node: node)
    }

    /// Makes an expression of a Swift expression.
    ///
    /// - Throws: `PredicateTranslationError`, which names the node without a translation.
    ///
    /// Unlike Apple's: an addition.
    public convenience init<Input: NSObject, Output>(
        translating expression: Foundation.Expression<Input, Output>
    ) throws(PredicateTranslationError) {
        self.init(node: try Self.translated(expression))
    }

    private static func translated<Input, Output>(
        _ expression: Foundation.Expression<Input, Output>
    ) throws(PredicateTranslationError) -> ExpressionNode {
        let translator = PredicateTranslator().binding(expression.variable.key, to: Meaning(.evaluatedObject))
        return try translator.expression(of: expression.expression)
    }
}
