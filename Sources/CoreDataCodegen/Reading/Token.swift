/// One token of a Swift source.
struct Token: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A word, keywords included; one in backticks is never a keyword.
        case identifier(isQuoted: Bool)
        case number
        /// A string or a regular expression, with everything inside.
        case literal
        /// `#if`, `#selector`: a number sign and a word.
        case directive
        /// One character of an operator: what belongs together, the reader decides.
        case `operator`
        /// One of `( ) { } [ ] , ; : . @ \ _` and the like.
        case punctuation
        case end
    }

    var kind: Kind
    /// Offsets in UTF-8.
    var range: Range<Int>
    var isAtLineStart: Bool
    var hasSpaceBefore: Bool
}
