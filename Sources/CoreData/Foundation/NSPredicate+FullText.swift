import CoreDataPredicates
import CoreDataValues
import Foundation

extension PredicateFormatInitializable {
    /// Makes a search for words in attributes with a full-text index
    /// (`NSAttributeDescription.isFullTextIndexed`).
    ///
    /// It is the format `{title, text} matchesFullText: %@`, or `title matchesFullText: %@` for one
    /// attribute. A SQLite store with an index of the attributes uses the index; otherwise each object is
    /// tested.
    ///
    /// - Parameters:
    ///   - fullText: The query, as a user may type it: words, `beginnings*`, `"words side by side"`, `AND`,
    ///     `OR`, `NOT` and parentheses. Case and accents do not matter. Every string is a query; one without
    ///     words finds nothing.
    ///   - keyPaths: At least one attribute of the objects, or of objects that to-one relationships lead to;
    ///     an empty array traps. The words may be spread over all of them; a phrase has to be in one.
    ///
    /// Unlike Apple's: an addition. Apple's framework parses the format, and calls a method of that name.
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
