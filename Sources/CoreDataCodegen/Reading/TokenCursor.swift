/// A position among the tokens of a source, which moves forward as declarations are read.
struct TokenCursor {
    let path: String
    let bytes: [UInt8]
    private let tokens: [Token]
    private let lineStarts: [Int]
    private(set) var index = 0
    private var depth = 0

    /// The limit on the nesting of declarations, types, conditions and brackets, which is also the
    /// compiler's.
    static let deepestNesting = 256

    init(_ source: SourceText) throws(UnreadableSource) {
        path = source.path
        let bytes = Array(source.text.utf8)
        self.bytes = bytes
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        do throws(Lexer.LexicalError) {
            tokens = try Lexer.tokens(of: source.text)
        } catch {
            let position = Self.position(at: error.offset, lineStarts, source.path)
            throw UnreadableSource(position: position, message: error.message)
        }
    }

    // MARK: Looking

    /// Returns the next token, or the one `offset` tokens after it.
    func peek(_ offset: Int = 0) -> Token { tokens[min(index + offset, tokens.count - 1)] }

    var isAtEnd: Bool { peek().kind == .end }

    /// The token that was taken last.
    var last: Token { tokens[max(0, index - 1)] }

    func text(of token: Token) -> String { text(in: token.range) }

    func text(in range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns whether a token is the given word or character.
    func `is`(_ text: String, at offset: Int = 0) -> Bool {
        let token = peek(offset)
        if case .identifier(isQuoted: true) = token.kind { return false }
        return token.kind != .literal && bytes[token.range].elementsEqual(text.utf8)
    }

    func isAny(of texts: Set<String>, at offset: Int = 0) -> Bool {
        switch peek(offset).kind {
        case .identifier(isQuoted: false), .directive: texts.contains(text(of: peek(offset)))
        default: false
        }
    }

    /// Returns whether the next characters are an operator without spaces in it: `->`, `...`.
    func isOperator(_ text: String, at offset: Int = 0) -> Bool {
        for (index, character) in text.enumerated() {
            guard self.is(String(character), at: offset + index),
                index == 0
                    || peek(offset + index - 1).range.upperBound == peek(offset + index).range.lowerBound
            else { return false }
        }
        return true
    }

    /// Returns the next token without backticks if it is a name; nil otherwise.
    func name(at offset: Int = 0) -> String? {
        let token = peek(offset)
        switch token.kind {
        case .identifier(isQuoted: true): return String(text(of: token).dropFirst().dropLast())
        case .identifier(isQuoted: false): return text(of: token)
        default: return nil
        }
    }

    // MARK: Taking

    mutating func advance(_ count: Int = 1) { index = min(index + count, tokens.count - 1) }

    mutating func go(to index: Int) { self.index = index }

    mutating func take(_ text: String) -> Bool {
        guard self.is(text) else { return false }
        advance()
        return true
    }

    mutating func require(_ text: String) throws(UnreadableSource) {
        guard take(text) else { throw unexpected("'\(text)' is missing") }
    }

    mutating func requireName() throws(UnreadableSource) -> (name: String, token: Token) {
        guard let name = name() else { throw unexpected("a name is missing") }
        let token = peek()
        advance()
        return (name, token)
    }

    /// Skips everything from a bracket to the one that closes it.
    mutating func skipBrackets() throws(UnreadableSource) {
        let start = peek()
        var open: [UInt8] = []
        repeat {
            let token = peek()
            if token.kind == .end { throw unexpected("'\(text(of: start))' is never closed", at: start) }
            if token.kind == .punctuation {
                let character = bytes[token.range.lowerBound]
                if let closing = Self.closing[character] { open.append(closing) }
                guard depth + open.count <= Self.deepestNesting else { throw tooDeep }
                if Self.closingCharacters.contains(character), open.popLast() != character {
                    throw unexpected("'\(text(of: token))' closes nothing")
                }
            }
            advance()
        } while !open.isEmpty
    }

    /// Enters a level of nesting. Throws if there are too many levels.
    mutating func enter() throws(UnreadableSource) {
        guard depth < Self.deepestNesting else { throw tooDeep }
        depth += 1
    }

    /// Leaves the level that `enter` entered.
    mutating func leave() { depth -= 1 }

    var tooDeep: UnreadableSource { unexpected("this is nested deeper than \(Self.deepestNesting) levels") }

    private static let closing: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
        UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]
    private static let closingCharacters = Set(closing.values)

    // MARK: Positions

    func position(of token: Token) -> SourcePosition {
        Self.position(at: token.range.lowerBound, lineStarts, path)
    }

    private static func position(at offset: Int, _ lineStarts: [Int], _ path: String) -> SourcePosition {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return SourcePosition(file: path, line: low + 1, column: offset - lineStarts[low] + 1)
    }

    func unexpected(_ message: String, at token: Token? = nil) -> UnreadableSource {
        UnreadableSource(position: position(of: token ?? peek()), message: message)
    }
}
