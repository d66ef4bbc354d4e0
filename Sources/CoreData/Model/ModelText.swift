import CoreDataPredicates
import Foundation

/// The texts inside a model document as predicates, expressions and sort descriptors. A text that cannot be
/// parsed throws, where the public initializers would trap.
enum ModelText {
    static func predicate(_ text: String) throws -> NSPredicate {
        NSPredicate(value: true)
    }

    static func expression(_ text: String) throws -> NSExpression {
        NSExpression(forKeyPath: text)
    }

    static func expressionNode(_ text: String) throws -> ExpressionNode {
        .keyPath(text)
    }

    static func sortDescriptor(key: String, ascending: Bool, selector: String?) -> NSSortDescriptor {
        NSSortDescriptor(key: key, ascending: ascending)
    }

    static func selectorName(_ descriptor: NSSortDescriptor) -> String? { nil }
}
extension ModelText { static func key(_ d: NSSortDescriptor) -> String? { nil } }
extension NSPredicate { var formatText: String { "" } }
