/// What a full-text search looks for: `title matchesFullText: "quick brown* NOT fox"`.
///
/// Words stand for themselves whatever their case and accents, `word*` for all that begin so, `"words in quotes"` for
/// words side by side. Words and parentheses behind one another all have to be there. `NOT` binds tighter than `AND`,
/// `AND` tighter than `OR`; what stands side by side binds tightest. A query that only excludes finds nothing.
///
/// Every string is a query: users type it. A sign that means nothing where it stands is no part of it, nor is an
/// operator without an operand, nor a word without letters or digits, nor what lies within more than ten parentheses or
/// behind a thousand words.
package struct FullTextQuery: Sendable, Hashable {
    package indirect enum Node: Sendable, Hashable {
        /// Words side by side in one text; the last may be but the beginning of a word.
        case phrase(FullTextWords, isPrefix: Bool)
        case all([Node])
        case any([Node])
        case excluding(Node, Node)
    }

    /// Nil if nothing is sought, so that nothing is found.
    package let root: Node?

    /// The method that a predicate names: `NSPredicate(format: "title matchesFullText: %@", text)`.
    package static let selector = "matchesFullText:"

    package init(_ text: String) {
        root = FullTextQueryParser.node(of: text)
    }

    /// Whether texts that belong together have what is sought; a phrase has to be in one of them.
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
    /// Whether the left side is searched for what the right side says.
    package var isFullTextSearch: Bool {
        `operator` == .customSelector && selector == FullTextQuery.selector
    }
}
