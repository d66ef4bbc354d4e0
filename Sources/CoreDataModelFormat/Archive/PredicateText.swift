import CoreDataPredicates

/// The conversion between trees and the texts of predicates and expressions in documents.
enum PredicateText {
    static func predicate(_ text: String, at path: String) throws -> PredicateNode {
        do {
            return try FormatParser.predicate(text)
        } catch {
            throw ModelFileError("", .inexpressible("\(path): predicate \"\(text)\": \(error)"))
        }
    }

    static func expression(_ text: String, at path: String) throws -> ExpressionNode {
        do {
            return try FormatParser.expression(text)
        } catch {
            throw ModelFileError("", .inexpressible("\(path): expression \"\(text)\": \(error)"))
        }
    }

    static func text(of predicate: PredicateNode) -> String { NodePrinter.format(predicate) }
    static func text(of expression: ExpressionNode) -> String { NodePrinter.format(expression) }
}
