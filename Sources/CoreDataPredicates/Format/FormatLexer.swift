import CoreDataValues
import Synchronization

/// The lexer of predicate formats. Specifiers inside quotation marks stay part of the string.
package struct FormatLexer {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var tokens: [FormatToken] = []

    /// The tokens of recently used formats. Programs use the same formats repeatedly, and splitting one takes
    /// as long as parsing it. The format itself is stored as well, since a string with other scalars may
    /// equal it.
    private static let known = Mutex<[String: (format: String, tokens: [FormatToken])]>([:])
    private static let knownCapacity = 256

    static func tokens(of format: String) throws(PredicateSyntaxError) -> [FormatToken] {
        if let entry = known.withLock({ $0[format] }), entry.format.hasSameBytes(as: format) {
            return entry.tokens
        }
        var lexer = FormatLexer(scalars: Array(format.unicodeScalars))
        while try lexer.next() {}
        let tokens = lexer.tokens
        known.withLock { known in
            if known.count >= knownCapacity { known.removeAll() }
            known[format] = (format, tokens)
        }
        return tokens
    }

    /// Returns the argument specifiers of a format in order, including `%K`.
    package static func specifiers(of format: String) throws(PredicateSyntaxError) -> [String] {
        var specifiers: [String] = []
        for token in try tokens(of: format) {
            switch token.kind {
            case .argument(let specifier): specifiers.append(specifier)
            case .keyArgument: specifiers.append("%K")
            default: break
            }
        }
        return specifiers
    }

    /// Returns the words of a format that may be keys, with the offset of each in Unicode scalars; for `#word`,
    /// that of the word behind the sign.
    package static func words(
        of format: String
    ) throws(PredicateSyntaxError) -> [(word: String, position: Int, isEscaped: Bool)] {
        var words: [(word: String, position: Int, isEscaped: Bool)] = []
        for token in try tokens(of: format) {
            switch token.kind {
            case .word(let word): words.append((word, token.position, false))
            case .escapedWord(let word): words.append((word, token.position + 1, true))
            default: break
            }
        }
        return words
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        // A token takes more than three scalars of a format on average.
        tokens.reserveCapacity(scalars.count / 3 + 1)
    }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        index + distance < scalars.count ? scalars[index + distance] : nil
    }

    private mutating func emit(_ kind: FormatToken.Kind, from start: Int) {
        tokens.append(FormatToken(kind: kind, position: start))
    }

    private func failure(_ expected: String, at position: Int, found: String? = nil) -> PredicateSyntaxError {
        let there = position < scalars.count ? "'\(scalars[position])'" : "the end"
        return PredicateSyntaxError(position: position, expected: expected, found: found ?? there)
    }

    private mutating func next() throws(PredicateSyntaxError) -> Bool {
        while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
        let start = index
        guard let scalar = peek() else {
            emit(.end, from: start)
            return false
        }
        switch scalar {
        case "\"", "'": emit(.string(try quoted(by: scalar)), from: start)
        case "%": emit(try specifier(), from: start)
        case "#": emit(.escapedWord(try word(after: "#")), from: start)
        case "$": emit(.variable(try word(after: "$")), from: start)
        case "@": emit(.collectionOperator("@" + (try word(after: "@"))), from: start)
        case "0"..."9": emit(try number(), from: start)
        case "." where startsFraction: emit(try number(), from: start)
        case _ where Self.beginsWord(scalar): emit(.word(word(allowingColons: true)), from: start)
        default: emit(.sign(try sign()), from: start)
        }
        return true
    }

    // MARK: Words

    private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
    }

    private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        beginsWord(scalar) || scalar.properties.numericType != nil || scalar.properties.isGraphemeExtend
    }

    private mutating func word(allowingColons: Bool) -> String {
        var word = String.UnicodeScalarView()
        while let scalar = peek(), Self.continuesWord(scalar) || (allowingColons && scalar == ":") {
            word.append(scalar)
            index += 1
        }
        return String(word)
    }

    private mutating func word(after mark: String) throws(PredicateSyntaxError) -> String {
        index += 1
        guard let scalar = peek(), Self.continuesWord(scalar) else {
            throw failure("a name after '\(mark)'", at: index)
        }
        return word(allowingColons: false)
    }

    // MARK: Strings

    private mutating func quoted(by quote: Unicode.Scalar) throws(PredicateSyntaxError) -> String {
        let start = index
        var string = String.UnicodeScalarView()
        index += 1
        while let scalar = peek() {
            index += 1
            if scalar == quote { return String(string) }
            if scalar == "\\" { string.append(try escaped()) } else { string.append(scalar) }
        }
        throw failure("\(quote) to close the string that begins at \(start)", at: index)
    }

    private mutating func escaped() throws(PredicateSyntaxError) -> Unicode.Scalar {
        guard let scalar = peek() else { throw failure("a character after '\\'", at: index) }
        index += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "v": return "\u{b}"
        case "u": return try hexadecimal(digits: 4)
        case "x": return try hexadecimal(digits: 2)
        default: return scalar
        }
    }

    /// Reads a character given by its code. One above `\uFFFF` is written as two surrogates.
    private mutating func hexadecimal(digits: Int) throws(PredicateSyntaxError) -> Unicode.Scalar {
        let start = index
        let first = try unit(digits: digits)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, peek() == "\\", peek(1) == "u" {
            index += 2
            let second = try unit(digits: digits)
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw failure("a character, or two surrogates", at: start)
    }

    private mutating func unit(digits: Int) throws(PredicateSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for position in index..<index + digits {
            guard position < scalars.count, scalars[position].isASCII,
                let digit = Character(scalars[position]).hexDigitValue
            else { throw failure("\(digits) hexadecimal digits of a character", at: position) }
            value = value << 4 | UInt32(digit)
        }
        index += digits
        return value
    }

    // MARK: Arguments

    private mutating func specifier() throws(PredicateSyntaxError) -> FormatToken.Kind {
        let start = index
        index += 1
        // Flags, width and precision affect only the layout of text.
        skip(among: "-+0123456789.#")
        skip(among: "lhqLztj")
        guard let conversion = peek() else { throw failure("a conversion after '%'", at: index) }
        index += 1
        switch conversion {
        case "K": return .keyArgument
        case "@", "d", "D", "i", "u", "U", "x", "X", "o", "O", "f", "F", "e", "E", "g", "G", "a", "A", "c",
            "C", "s", "S", "p":
            return .argument(String(String.UnicodeScalarView(scalars[start..<index])))
        default: throw failure("an argument specifier such as %@", at: start, found: "'%\(conversion)'")
        }
    }

    private mutating func skip(among ignored: String) {
        while let scalar = peek(), ignored.unicodeScalars.contains(scalar) { index += 1 }
    }

    // MARK: Numbers

    /// Whether a dot before a digit begins a number, not the next part of a key path.
    private var startsFraction: Bool {
        guard let digit = peek(1), ("0"..."9").contains(digit) else { return false }
        switch tokens.last?.kind {
        case .word, .escapedWord, .variable, .collectionOperator, .keyArgument, .argument: return false
        case .sign(")"), .sign("]"), .sign("}"): return false
        default: return true
        }
    }

    private mutating func number() throws(PredicateSyntaxError) -> FormatToken.Kind {
        let start = index
        if peek() == "0", let mark = peek(1), let radix = Self.radices[mark] {
            index += 2
            let text = word(allowingColons: false)
            guard let value = UInt64(text, radix: radix) else {
                throw failure("digits of base \(radix)", at: start + 2)
            }
            return .integer(Int64(bitPattern: value))
        }
        var isFraction = false
        skipDigits()
        if peek() == ".", let digit = peek(1), ("0"..."9").contains(digit) {
            isFraction = true
            index += 1
            skipDigits()
        }
        if let mark = peek(), mark == "e" || mark == "E" {
            isFraction = true
            index += 1
            if let sign = peek(), sign == "+" || sign == "-" { index += 1 }
            skipDigits()
        }
        let text = String(String.UnicodeScalarView(scalars[start..<index]))
        if let next = peek(), Self.continuesWord(next) {
            throw failure("a number", at: start, found: "'\(text)\(next)'")
        }
        if !isFraction, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text) else { throw failure("a number", at: start, found: "'\(text)'") }
        return .double(value)
    }

    private static let radices: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2]

    private mutating func skipDigits() {
        while let scalar = peek(), ("0"..."9").contains(scalar) { index += 1 }
    }

    // MARK: Signs

    private static let signs = [
        "**", "==", "!=", "<>", "<=", "=<", ">=", "=>", "<<", ">>", "&&", "||", "(", ")", "{", "}", "[", "]",
        ",",
        ".", "=", "<", ">", "!", "+", "-", "*", "/", "&", "|", "^", "~",
    ]

    private mutating func sign() throws(PredicateSyntaxError) -> String {
        let rest = scalars[index...]
        for sign in Self.signs where rest.starts(with: sign.unicodeScalars) {
            index += sign.unicodeScalars.count
            return sign
        }
        throw failure("an expression or operator", at: index)
    }
}
