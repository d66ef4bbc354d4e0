/// The lexer of Swift sources. It returns operators one character at a time, so that `Set<Tag>?` can be read
/// in one pass, and each string or regular expression literal as one token.
struct Lexer {
    let bytes: [UInt8]
    private(set) var position = 0
    private var previous: Token?
    /// The number of interpolations around the position.
    private var depth = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        if starts(with: "#!") { position = endOfLine(from: 0) }
    }

    /// Returns the tokens of a source; the last one marks its end.
    static func tokens(of text: String) throws(LexicalError) -> [Token] {
        var lexer = Lexer(text)
        var tokens: [Token] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    struct LexicalError: Error {
        var offset: Int
        var message: String
    }

    // MARK: Tokens

    mutating func next() throws(LexicalError) -> Token {
        let before = position
        let isAtLineStart = try skipTrivia() || before == 0
        let start = position
        let kind = try scan()
        let token = Token(
            kind: kind, range: start..<position, isAtLineStart: isAtLineStart,
            hasSpaceBefore: start > before || isAtLineStart)
        previous = token
        return token
    }

    private mutating func scan() throws(LexicalError) -> Token.Kind {
        guard let byte = byte(at: 0) else { return .end }
        switch byte {
        case UInt8(ascii: "\""):
            try skipString(delimiters: 0)
            return .literal
        case UInt8(ascii: "#"):
            return try scanNumberSign()
        case UInt8(ascii: "`"):
            return try scanQuotedIdentifier()
        case UInt8(ascii: "/") where try skipRegularExpression():
            return .literal
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            skipNumber()
            return .number
        case _ where Self.isOperator(byte):
            position += 1
            return .operator
        case _ where Self.isWord(byte):
            skipWord()
            return .identifier(isQuoted: false)
        default:
            position += 1
            return .punctuation
        }
    }

    private mutating func scanNumberSign() throws(LexicalError) -> Token.Kind {
        var count = 0
        while byte(at: count) == UInt8(ascii: "#") { count += 1 }
        switch byte(at: count) {
        case UInt8(ascii: "\""):
            position += count
            try skipString(delimiters: count)
            return .literal
        case UInt8(ascii: "/"):
            position += count
            try skipExtendedRegularExpression(delimiters: count)
            return .literal
        default:
            position += count
            skipWord()
            return .directive
        }
    }

    private mutating func scanQuotedIdentifier() throws(LexicalError) -> Token.Kind {
        let start = position
        position += 1
        while let byte = byte(at: 0), byte != UInt8(ascii: "\n") {
            position += 1
            if byte == UInt8(ascii: "`") { return .identifier(isQuoted: true) }
        }
        throw LexicalError(offset: start, message: "a name in backticks has no end")
    }

    private mutating func skipWord() {
        while let byte = byte(at: 0), Self.isWord(byte) { position += 1 }
    }

    /// Skips digits, a fraction, an exponent with its sign, and the letters of other bases.
    private mutating func skipNumber() {
        var isHexadecimal = false
        while let byte = byte(at: 0) {
            if byte == UInt8(ascii: "x"), self.byte(at: -1) == UInt8(ascii: "0") { isHexadecimal = true }
            let isExponent =
                isHexadecimal ? byte | 0x20 == UInt8(ascii: "p") : byte | 0x20 == UInt8(ascii: "e")
            if isExponent, let sign = self.byte(at: 1), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
            {
                position += 2
            } else if Self.isWord(byte) {
                position += 1
            } else if byte == UInt8(ascii: "."), let digit = self.byte(at: 1), Self.isDigit(digit) {
                position += 1
            } else {
                return
            }
        }
    }

    // MARK: Trivia

    /// Skips spaces and comments. Returns whether a line ended.
    private mutating func skipTrivia() throws(LexicalError) -> Bool {
        var hasNewline = false
        while let byte = byte(at: 0) {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                hasNewline = true
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C, 0x00:
                position += 1
            case 0xEF where position == 0 && starts(with: "\u{FEFF}"):
                position += 3
            case UInt8(ascii: "/") where self.byte(at: 1) == UInt8(ascii: "/"):
                position = endOfLine(from: position)
            case UInt8(ascii: "/") where self.byte(at: 1) == UInt8(ascii: "*"):
                if try skipComment() { hasNewline = true }
            default:
                return hasNewline
            }
        }
        return hasNewline
    }

    /// Skips a `/* */` comment with the comments nested in it. Returns whether it spans several lines.
    private mutating func skipComment() throws(LexicalError) -> Bool {
        let start = position
        var depth = 0
        var hasNewline = false
        while let byte = byte(at: 0) {
            switch (byte, self.byte(at: 1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                depth += 1
                position += 2
            case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                depth -= 1
                position += 2
                if depth == 0 { return hasNewline }
            default:
                if byte == UInt8(ascii: "\n") { hasNewline = true }
                position += 1
            }
        }
        throw LexicalError(offset: start, message: "a comment has no end")
    }

    // MARK: Literals

    /// Skips a string literal from behind its opening number signs. `delimiters` is the number of these
    /// signs.
    private mutating func skipString(delimiters: Int) throws(LexicalError) {
        let start = position
        let isMultiline = starts(with: "\"\"\"") && !isEmptyRawString(delimiters)
        position += isMultiline ? 3 : 1
        while let byte = byte(at: 0) {
            switch byte {
            case UInt8(ascii: "\\") where hasDelimiters(delimiters, at: 1):
                position += 1 + delimiters
                if self.byte(at: 0) == UInt8(ascii: "(") {
                    try skipInterpolation()
                } else {
                    position += 1
                }
            case UInt8(ascii: "\"")
            where (!isMultiline || starts(with: "\"\"\""))
                && hasDelimiters(delimiters, at: isMultiline ? 3 : 1):
                position += (isMultiline ? 3 : 1) + delimiters
                return
            case UInt8(ascii: "\n") where !isMultiline:
                throw LexicalError(offset: start, message: "a string has no end")
            default:
                position += 1
            }
        }
        throw LexicalError(offset: start, message: "a string has no end")
    }

    /// Returns whether three quotation marks do not begin a multiline string: a one-line string between
    /// number signs may be empty or contain quotation marks, as in `#"""#`.
    private func isEmptyRawString(_ delimiters: Int) -> Bool {
        guard delimiters > 0 else { return false }
        // In a multiline string, only a line break follows the quotation marks.
        var offset = 3
        while let byte = byte(at: offset), byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "\""), hasDelimiters(delimiters, at: offset + 1) { return true }
            offset += 1
        }
        return hasDelimiters(delimiters, at: 2) || hasDelimiters(delimiters, at: 3)
    }

    private func hasDelimiters(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(at: offset + $0) == UInt8(ascii: "#") }
    }

    /// Skips an interpolation from its opening parenthesis to the closing one.
    private mutating func skipInterpolation() throws(LexicalError) {
        let start = position
        guard depth < TokenCursor.deepestNesting else {
            throw LexicalError(
                offset: start,
                message: "interpolations are nested deeper than \(TokenCursor.deepestNesting) levels")
        }
        let outer = previous
        previous = nil
        depth += 1
        defer {
            previous = outer
            depth -= 1
        }
        var parentheses = 0
        while true {
            let token = try next()
            if token.kind == .end {
                throw LexicalError(offset: start, message: "an interpolation has no end")
            }
            guard token.kind == .punctuation else { continue }
            if bytes[token.range.lowerBound] == UInt8(ascii: "(") { parentheses += 1 }
            if bytes[token.range.lowerBound] == UInt8(ascii: ")") { parentheses -= 1 }
            if parentheses == 0 { return }
        }
    }

    private mutating func skipExtendedRegularExpression(delimiters: Int) throws(LexicalError) {
        let start = position
        position += 1
        while let byte = byte(at: 0) {
            if byte == UInt8(ascii: "\\") {
                position += 2
            } else if byte == UInt8(ascii: "/"), hasDelimiters(delimiters, at: 1) {
                position += 1 + delimiters
                return
            } else {
                position += 1
            }
        }
        throw LexicalError(offset: start, message: "a regular expression has no end")
    }

    /// Skips a regular expression between slashes if one begins here, and not an operator (SE-0354). Returns
    /// whether one did.
    private mutating func skipRegularExpression() throws(LexicalError) -> Bool {
        guard mayBeginExpression, let first = byte(at: 1), !" \t\n\r/*".utf8.contains(first) else {
            return false
        }
        var offset = 1
        var depth = 0
        while let byte = byte(at: offset), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
            switch byte {
            case UInt8(ascii: "\\"):
                offset += 1
            case UInt8(ascii: "("):
                depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth < 0 { return false }
            case UInt8(ascii: "/"):
                let last = self.byte(at: offset - 1)
                if last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { return false }
                position += offset + 1
                return true
            default:
                break
            }
            offset += 1
        }
        return false
    }

    /// Whether an expression may begin at the next slash, so that it is not a division.
    private var mayBeginExpression: Bool {
        guard let previous else { return true }
        let text = bytes[previous.range]
        switch previous.kind {
        case .identifier(let isQuoted):
            if !isQuoted, Self.wordsBeforeExpressions.contains(where: { text.elementsEqual($0.utf8) }) {
                return true
            }
            return position > previous.range.upperBound && isAfterLineBreak(previous)
        case .number, .literal: return isAfterLineBreak(previous)
        case .punctuation:
            return !text.elementsEqual(")".utf8) && !text.elementsEqual("]".utf8)
                && !text.elementsEqual("}".utf8)
                || isAfterLineBreak(previous)
        case .operator:
            // A postfix operator ends an operand: `count! / 2`, `count!/2`.
            return position > previous.range.upperBound
                || !(text.elementsEqual("!".utf8) || text.elementsEqual("?".utf8))
        case .directive, .end: return true
        }
    }

    private func isAfterLineBreak(_ token: Token) -> Bool {
        bytes[token.range.upperBound..<position].contains(UInt8(ascii: "\n"))
    }

    private static let wordsBeforeExpressions = [
        "return", "in", "case", "where", "try", "await", "throw", "if", "while", "guard", "switch", "else",
        "is", "as",
        "yield", "repeat", "do",
    ]

    // MARK: Characters

    private func byte(at offset: Int) -> UInt8? {
        let index = position + offset
        return bytes.indices.contains(index) ? bytes[index] : nil
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private func endOfLine(from start: Int) -> Int {
        bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? bytes.count
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    /// Returns whether a byte belongs to a word: a letter, a digit, the underscore, or any byte that is not
    /// ASCII. Operators that are not ASCII occur only in skipped code and in names of functions, where they
    /// may be taken for words.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private static func isOperator(_ byte: UInt8) -> Bool { operators[Int(byte)] }

    private static let operators: [Bool] = (0..<256).map { "/=-+!*%<>&|^~?".utf8.contains(UInt8($0)) }
}
