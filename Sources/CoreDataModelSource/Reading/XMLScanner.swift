/// A scanner of the tags of well-formed XML, which tells where each begins and ends.
struct XMLScanner {
    enum Token {
        case startTag(isEmptyElement: Bool)
        case endTag
        /// A comment, a processing instruction, a declaration or a section of text.
        case aside
        case text
    }

    let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        position = range?.lowerBound ?? 0
        end = range?.upperBound ?? bytes.count
    }

    /// Returns the next token and its place; nil at the end.
    mutating func next() -> (token: Token, range: Range<Int>)? {
        guard position < end else { return nil }
        let start = position
        let token = scan()
        return (token, start..<position)
    }

    /// Returns the place of the next start tag, and whether it is an element of its own.
    mutating func nextStartTag() -> (range: Range<Int>, isEmptyElement: Bool)? {
        while let (token, range) = next() {
            if case .startTag(let isEmptyElement) = token { return (range, isEmptyElement) }
        }
        return nil
    }

    /// Returns the place of the next end tag.
    mutating func nextEndTag() -> Range<Int>? {
        while let (token, range) = next() {
            if case .endTag = token { return range }
        }
        return nil
    }

    /// Goes on to the end of the element whose start tag was the last token.
    mutating func skipContent() {
        var depth = 1
        while depth > 0, let (token, _) = next() {
            switch token {
            case .startTag(isEmptyElement: false): depth += 1
            case .endTag: depth -= 1
            default: break
            }
        }
    }

    private mutating func scan() -> Token {
        guard bytes[position] == UInt8(ascii: "<") else {
            while position < end, bytes[position] != UInt8(ascii: "<") { position += 1 }
            return .text
        }
        if skipRemark() || skip("<![CDATA[", to: "]]>") { return .aside }
        if skip("</", to: ">") { return .endTag }
        let isDeclaration = has("<!")
        skipTag()
        if isDeclaration { return .aside }
        return .startTag(isEmptyElement: position >= 2 && bytes[position - 2] == UInt8(ascii: "/"))
    }

    private func has(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= end else { return false }
        return (0..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
    }

    /// Skips a token that begins and ends with these texts, if there is one.
    private mutating func skip(_ opening: StaticString, to closing: StaticString) -> Bool {
        guard has(opening) else { return false }
        position += opening.utf8CodeUnitCount
        while position < end, !has(closing) { position += 1 }
        position = min(position + closing.utf8CodeUnitCount, end)
        return true
    }

    /// Skips a comment or a processing instruction, if there is one.
    private mutating func skipRemark() -> Bool { skip("<!--", to: "-->") || skip("<?", to: "?>") }

    /// Skips a tag, or a declaration with others in brackets.
    private mutating func skipTag() {
        var quote: UInt8?
        var depth = 0
        while position < end {
            if quote == nil, depth > 0, skipRemark() { continue }
            let byte = bytes[position]
            position += 1
            switch byte {
            case _ where quote != nil: if byte == quote { quote = nil }
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">"):
                depth -= 1
                if depth == 0 { return }
            default: break
            }
        }
    }
}
