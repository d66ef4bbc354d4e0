/// A token of a Swift source.
struct Token: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A word, which may be a keyword; a word in backticks is never a keyword.
        case identifier(isQuoted: Bool)
        case number
        /// A string or a regular expression, including its interpolations.
        case literal
        /// A number sign and a word: `#if`, `#selector`.
        case directive
        /// One character of an operator; the reader decides which characters belong together.
        case `operator`
        /// One of `( ) { } [ ] , ; : . @ \ _` and similar signs.
        case punctuation
        case end
    }

    var kind: Kind
    /// The offsets in UTF-8.
    var range: Range<Int>
    var isAtLineStart: Bool
    var hasSpaceBefore: Bool
}
