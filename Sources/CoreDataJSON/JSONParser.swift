/// A parser of one JSON document of at most 500 levels, written for the lines of an export and for commands.
///
/// Unlike Foundation's parser, it keeps whole numbers as integers and preserves the order of keys, and it
/// reports the byte at which a line is malformed.
package struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private static let deepest = 500

    package static func parse(_ text: some StringProtocol) throws(JSONSyntaxError) -> JSONValue {
        try parse(Array(text.utf8))
    }

    package static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value()
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("more after the end of the value") }
        return value
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private func error(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(position: position, message: message)
    }

    // MARK: Bytes

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func take(word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes.count - position >= word.count,
            bytes[position..<position + word.count].elementsEqual(word)
        else { throw error("no value") }
        position += word.count
        return value
    }

    // MARK: Values

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return try nested { parser throws(JSONSyntaxError) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(JSONSyntaxError) in try parser.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try take(word: "true", .boolean(true))
        case UInt8(ascii: "f"): return try take(word: "false", .boolean(false))
        case UInt8(ascii: "n"): return try take(word: "null", .null)
        default: return try number()
        }
    }

    private mutating func nested(
        _ read: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
    ) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.deepest else { throw error("nested too deep") }
        depth += 1
        position += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONValue {
        var members: [JSONValue.Member] = []
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw error("a key was expected") }
            let key = try string()
            guard take(":") else { throw error("':' was expected") }
            members.append(JSONValue.Member(key, try value()))
        } while take(",")
        guard take("}") else { throw error("',' or '}' was expected") }
        return .object(members)
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        var elements: [JSONValue] = []
        if take("]") { return .array([]) }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw error("',' or ']' was expected") }
        return .array(elements)
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        while let byte = current,
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let whole = Int64(text) { return .integer(whole) }
        guard let value = Double(text) else { throw error("no value") }
        return .double(value)
    }

    // MARK: Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        guard current == UInt8(ascii: "\\") else {
            guard current != nil else { throw error("a string that does not end") }
            position += 1
            return String(decoding: bytes[start..<position - 1], as: UTF8.self)
        }
        return try escapedString(bytes[start..<position])
    }

    private mutating func escapedString(_ beginning: ArraySlice<UInt8>) throws(JSONSyntaxError) -> String {
        var text = Array(beginning)
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
            default: text.append(byte)
            }
        }
        throw error("a string that does not end")
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        guard let byte = current else { throw error("a string that does not end") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "u"): return try unicodeEscape()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        default: throw error("an unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let high = try fourDigits()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard current == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw error("half of a character") }
        position += 2
        let low = try fourDigits()
        guard (0xD800..<0xDC00).contains(high), (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else { throw error("half of a character") }
        return scalar
    }

    private mutating func fourDigits() throws(JSONSyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count,
            let number = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw error("four hexadecimal digits were expected") }
        position += 4
        return number
    }
}
