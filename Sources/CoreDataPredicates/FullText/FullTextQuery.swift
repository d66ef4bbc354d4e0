/// The query of a full-text search: `title matchesFullText: "quick brown* NOT fox"`.
///
/// A word matches regardless of case and accents, `word*` matches all words that begin with `word`, and
/// `"words in quotes"` matches these words next to each other. Several words or parentheses in a row must all
/// be found. `NOT` binds more tightly than `AND`, and `AND` more tightly than `OR`; terms in a row bind most
/// tightly. A query that only excludes words finds nothing.
///
/// Every string is a valid query, since users type it. The parser ignores misplaced signs, operators without
/// an operand, words without letters or digits, everything inside more than ten nested parentheses, and
/// everything after a thousand words.
package struct FullTextQuery: Sendable, Hashable {
    package indirect enum Node: Sendable, Hashable {
        /// Words next to each other in one text; the last may be only the beginning of a word.
        case phrase(FullTextWords, isPrefix: Bool)
        case all([Node])
        case any([Node])
        case excluding(Node, Node)
    }

    /// The root of the query; nil if the query contains nothing to search for, so that it finds nothing.
    package let root: Node?

    /// The method that a predicate names: `NSPredicate(format: "title matchesFullText: %@", text)`.
    package static let selector = "matchesFullText:"

    package init(_ text: String) {
        root = FullTextQueryParser.node(of: text)
    }

    /// Returns whether the texts of one object match the query; a phrase has to be within one of them.
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
