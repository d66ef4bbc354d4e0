import CoreDataPredicates
import CoreDataValues
import Foundation

extension PredicateFormatInitializable {
    /// A search for words in attributes with a full-text index (`NSAttributeDescription.isFullTextIndexed`).
    ///
    /// The same as the format `{title, text} matchesFullText: %@`, or `title matchesFullText: %@` for one attribute. An
    /// addition: Apple's framework parses the format, and calls a method of that name.
    ///
    /// - Parameters:
    ///   - fullText: What a user may type: words, `beginnings*`, `"words side by side"`, `AND`, `OR`, `NOT` and
    ///     parentheses. Case and accents do not matter. Every string is a query, and one without words finds nothing.
    ///   - keyPaths: At least one attribute of the objects, or of objects that to-one relationships lead to. The words
    ///     may be spread over all of them; a phrase has to be in one.
    public init(fullText: String, in keyPaths: [String]) {
        guard let first = keyPaths.first else {
            programmerError("NSPredicate(fullText:in:) needs a key path to search")
        }
        let searched: ExpressionNode =
            keyPaths.count == 1 ? .keyPath(first) : .aggregate(keyPaths.map { .keyPath($0) })
        let comparison = ComparisonNode(
            searched, .customSelector, .constant(.value(.string(fullText))), selector: FullTextQuery.selector)
        self = NSPredicate.predicate(for: .comparison(comparison)) as! Self
    }
}
