import CoreDataPredicates
import Foundation

/// The conversion between texts in a model document and predicates, expressions and sort descriptors.
///
/// A text that cannot be parsed throws, where the public initializers would trap.
enum ModelText {
    static func predicate(_ text: String) throws -> NSPredicate {
        NSPredicate.predicate(for: try FormatParser.predicate(text))
    }

    static func expression(_ text: String) throws -> NSExpression {
        NSExpression.expression(for: try expressionNode(text))
    }

    static func expressionNode(_ text: String) throws -> ExpressionNode {
        try FormatParser.expression(text)
    }

    static func text(_ predicate: NSPredicate) -> String { NodePrinter.format(predicate.node) }

    static func text(_ expression: NSExpression) -> String { NodePrinter.format(expression.node) }

    // MARK: Order

    static func sortDescriptor(_ keyPath: String, ascending: Bool, selector: String?) -> NSSortDescriptor {
        NSSortDescriptor(key: keyPath, ascending: ascending, selector: selector.map { Selector($0) })
    }

    /// Returns the key path by which a descriptor sorts; nil for one that compares objects as a whole.
    static func keyPath(_ descriptor: NSSortDescriptor) -> String? {
        let keys = (try? descriptor.sortKey())?.keys ?? []
        return keys.isEmpty ? nil : keys.joined(separator: ".")
    }

    /// Returns the selector of a descriptor's comparison; nil for the plain one and for closures.
    static func selector(_ descriptor: NSSortDescriptor) -> String? {
        switch (try? descriptor.sortKey())?.collation {
        case .caseInsensitive: "caseInsensitiveCompare:"
        case .localized: "localizedCompare:"
        case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:"
        case .localizedStandard: "localizedStandardCompare:"
        case .standard, .comparator, nil: nil
        }
    }
}
