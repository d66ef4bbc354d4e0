import Foundation

/// Converts default values and limits from and to their spelling in model files (xcdatamodel §2).
extension AttributeValue {
    /// Makes the value of `type` that `text` spells; nil if the text is malformed, out of the type's range,
    /// or the type has no textual form.
    package init?(text: String, type: AttributeType) {
        let parsed: AttributeValue? =
            switch type {
            case .string: .string(text)
            case .integer16: Self.integer(text, within: Int64(Int16.min)...Int64(Int16.max))
            case .integer32: Self.integer(text, within: Int64(Int32.min)...Int64(Int32.max))
            case .integer64: Self.integer(text, within: Int64.min...Int64.max)
            case .double: (Double(text) ?? Self.flag(text).map { $0 ? 1 : 0 }).map { .double($0) }
            case .float: (Float(text) ?? Self.flag(text).map { $0 ? 1 : 0 }).map { .double(Double($0)) }
            case .decimal: Self.decimal(text) ?? Self.flag(text).map { .decimal($0 ? 1 : 0) }
            case .boolean: (Self.flag(text) ?? Self.number(text).map { $0 != 0 }).map { .boolean($0) }
            case .date: DateText.date(from: text).map { .date($0) }
            case .uuid: UUID(uuidString: text).map { .uuid($0) }
            case .uri: text.isEmpty ? nil : URL(string: text).map { .uri($0) }
            case .binary: Data(base64Encoded: text).map { .data($0) }
            case .undefined, .transformable, .objectID, .composite: nil
            }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Returns the text, in the model editor's spelling, from which `init(text:type:)` makes this value
    /// again; nil if there is none.
    package func text(as type: AttributeType) -> String? {
        switch self {
        case .boolean(let value): value ? "YES" : "NO"
        case .integer(let value): String(value)
        case .double(let value): type == .float ? Float(value).description : value.description
        case .decimal(let value): value.description
        case .string(let value): value
        case .date(let value): DateText.text(of: value)
        case .data(let value): value.base64EncodedString()
        case .uuid(let value): value.uuidString
        case .uri(let value): value.absoluteString
        case .null, .reference, .composite: nil
        }
    }

    // Editors leave "0.0" in attributes that had a number type before, and "NO" in those that were Boolean.

    private static func integer(_ text: String, within range: ClosedRange<Int64>) -> AttributeValue? {
        guard
            let value = Int64(text) ?? Double(text).flatMap(Int64.init(exactly:))
                ?? flag(text).map({ $0 ? 1 : 0 })
        else { return nil }
        return range.contains(value) ? .integer(value) : nil
    }

    /// Returns a decimal number if the whole text is one: `Decimal(string:)` stops at the first character it
    /// does not know.
    private static func decimal(_ text: String) -> AttributeValue? { number(text).map { .decimal($0) } }

    private static func number(_ text: String) -> Decimal? {
        guard isNumber(text.utf8) else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Returns whether the text consists of an optional sign, digits with an optional point, and an optional
    /// exponent. Written by hand, since a regular expression is compiled at each use.
    private static func isNumber(_ text: String.UTF8View) -> Bool {
        var rest = text[...]
        func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
        func takeDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        if rest.first.map(isSign) == true { rest = rest.dropFirst() }
        var digits = takeDigits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += takeDigits()
        }
        guard digits > 0 else { return false }
        guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return rest.isEmpty }
        rest = rest.dropFirst()
        if rest.first.map(isSign) == true { rest = rest.dropFirst() }
        return takeDigits() > 0 && rest.isEmpty
    }

    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        default: nil
        }
    }
}
