/// The query of a full-text search: `title matchesFullText: "quick brown* NOT fox"`.
///
/// A word matches whatever its case and accents, `word*` matches all words that begin so, and
/// `"words in quotes"` match words side by side. Words and parentheses one after another must all be found.
/// `NOT` binds tighter than `AND`, and `AND` tighter than `OR`; terms side by side bind tightest. A query
/// that only excludes finds nothing.
///
/// Every string is a query, since users type it. The parser ignores signs without a meaning at their place,
/// operators without an operand, words without letters or digits, and everything inside more than ten
/// parentheses or after a thousand words.
package struct FullTextQuery: Sendable, Hashable {
    package indirect enum Node: Sendable, Hashable {
        /// Words side by side in one text; the last may be only the beginning of a word.
        case phrase(FullTextWords, isPrefix: Bool)
        case all([Node])
        case any([Node])
        case excluding(Node, Node)
    }

    /// The root of the query; nil if the query seeks nothing, so that nothing is found.
    package let root: Node?

    /// The method that a predicate names: `NSPredicate(format: "title matchesFullText: %@", text)`.
    package static let selector = "matchesFullText:"

    package init(_ text: String) {
        root = FullTextQueryParser.node(of: text)
    }

    /// Returns whether texts that belong together match the query; a phrase has to be within one of them.
    package func matches(_ texts: [String]) -> Bool {
        guard let root else { return false }
        let words = texts.map(FullTextWords.init)
        return root.matches(words)
    }
}

extension FullTextQuery.Node {
    fileprivate func matches(_ texts: [FullTextWords]) -> Bool {
        switch self {
        case .phrase(let words, let isPrefix): texts.contains { $0.contains(words, isPrefix: isPrefix) }
        case .all(let nodes): nodes.allSatisfy { $0.matches(texts) }
        case .any(let nodes): nodes.contains { $0.matches(texts) }
        case .excluding(let node, let excluded): node.matches(texts) && !excluded.matches(texts)
        }
    }
}

extension ComparisonNode {
    /// Whether the comparison searches its left side for the query on its right side.
    package var isFullTextSearch: Bool {
        `operator` == .customSelector && selector == FullTextQuery.selector
    }
}
