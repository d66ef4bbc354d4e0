/// The parser of the text that a user types into a search field. It never fails.
struct FullTextQueryParser {
    static func node(of text: String) -> FullTextQuery.Node? {
        var parser = FullTextQueryParser(signs: FullTextSign.signs(of: text))
        var parts: [FullTextQuery.Node] = []
        while parser.index < parser.signs.count {
            if let part = parser.alternatives() { parts.append(part) }
            // This skips a closing parenthesis without an opening one.
            parser.index += 1
        }
        return joined(parts, FullTextQuery.Node.all)
    }

    private let signs: [FullTextSign]
    private var index = 0

    /// The greatest number of nested parentheses, which protects the stack of the code that runs the query.
    /// Deeper parentheses are ignored.
    private static let deepest = 10
    /// The greatest number of words that are used. An index would take long to search for all words of a
    /// book.
    private static let mostWords = 1000
    private var wordCount = 0

    private init(signs: [FullTextSign]) {
        self.signs = FullTextSign.flattened(signs, below: Self.deepest)
    }

    private var current: FullTextSign? { index < signs.count ? signs[index] : nil }

    private mutating func take(_ sign: FullTextSign) -> Bool {
        guard current == sign else { return false }
        index += 1
        return true
    }

    private static func joined(
        _ nodes: [FullTextQuery.Node], _ join: ([FullTextQuery.Node]) -> FullTextQuery.Node
    ) -> FullTextQuery.Node? {
        nodes.count < 2 ? nodes.first : join(nodes)
    }

    // MARK: Operators, from the loosest to the tightest

    private mutating func alternatives() -> FullTextQuery.Node? {
        var nodes = [conjunction()]
        while take(.or) { nodes.append(conjunction()) }
        return Self.joined(nodes.compactMap { $0 }, FullTextQuery.Node.any)
    }

    /// Reads terms joined by `AND`. `a AND NOT b` is `a NOT b`: a `NOT` without a term before it excludes
    /// from all other terms.
    private mutating func conjunction() -> FullTextQuery.Node? {
        var wanted: [FullTextQuery.Node] = []
        var unwanted: [FullTextQuery.Node] = []
        repeat {
            let (node, excluded) = difference()
            guard let node else {
                unwanted += excluded
                continue
            }
            wanted.append(Self.excluding(node, excluded))
        } while take(.and)
        return Self.joined(wanted, FullTextQuery.Node.all).map { Self.excluding($0, unwanted) }
    }

    private mutating func difference() -> (FullTextQuery.Node?, [FullTextQuery.Node]) {
        let node = sequence()
        var excluded: [FullTextQuery.Node] = []
        while take(.not) {
            if let other = sequence() { excluded.append(other) }
        }
        return (node, excluded)
    }

    private static func excluding(
        _ node: FullTextQuery.Node, _ excluded: [FullTextQuery.Node]
    ) -> FullTextQuery.Node {
        joined(excluded, FullTextQuery.Node.any).map { .excluding(node, $0) } ?? node
    }

    private mutating func sequence() -> FullTextQuery.Node? {
        var nodes: [FullTextQuery.Node] = []
        while let sign = current {
            switch sign {
            case .text(let text, let isPrefix):
                index += 1
                let words = FullTextWords(text).prefix(Self.mostWords - wordCount)
                wordCount += words.count
                if !words.isEmpty { nodes.append(.phrase(words, isPrefix: isPrefix)) }
            case .open:
                index += 1
                if let node = alternatives() { nodes.append(node) }
                _ = take(.close)
            case .close, .and, .or, .not: return Self.joined(nodes, FullTextQuery.Node.all)
            }
        }
        return Self.joined(nodes, FullTextQuery.Node.all)
    }
}
