import Foundation

/// SQL without values.
///
/// It is made of literals, names, numbers, placeholders and other such texts. No string converts to it, so
/// that text from outside cannot be injected.
package struct SQLText: Sendable, CustomStringConvertible {
    /// The text for the database.
    package private(set) var string: String
    /// The types of its placeholders, in their order. Placeholders that are part of a literal are not listed.
    package private(set) var placeholders: [SQLPlaceholder] = []

    /// Makes the text of the statement that made an object of the database, as the database has stored it
    /// (`sql` of `sqlite_master`).
    package init(stored statement: String) { string = statement }

    /// Makes a number for a statement without placeholders; nil if it is infinite or NaN.
    init?(literal number: Double) {
        guard number.isFinite else { return nil }
        string = String(number)
    }

    init?(literal number: Decimal) {
        guard number.isFinite else { return nil }
        string = number.description
    }

    /// Makes a placeholder.
    init(_ placeholder: SQLPlaceholder) {
        string = "?"
        placeholders = placeholder.alone
    }

    /// The depth of nested parentheses.
    ///
    /// Parentheses around a select count several times, since they take more of a parser's stack.
    var nesting: Int {
        var deepest = 0
        var open: [Int] = []
        var level = 0
        var quote: UInt8?
        var rest = string.utf8[...]
        while let byte = rest.popFirst() {
            if let mark = quote {
                if byte == mark { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
            case UInt8(ascii: "("):
                open.append(rest.starts(with: "SELECT".utf8) ? 4 : 1)
                level += open[open.count - 1]
                deepest = max(deepest, level)
            case UInt8(ascii: ")"): level -= open.popLast() ?? 0
            default: break
            }
        }
        return deepest
    }

    package var isEmpty: Bool { string.isEmpty }
    package var description: String { string }

    package static func + (left: SQLText, right: SQLText) -> SQLText {
        var result = left
        result += right
        return result
    }

    /// Not inlined, since most texts are put together of dozens.
    @inline(never)
    package static func += (left: inout SQLText, right: SQLText) {
        left.string += right.string
        if right.placeholders.isEmpty { return }
        // Where only one part has placeholders, its array is not copied.
        if left.placeholders.isEmpty {
            left.placeholders = right.placeholders
        } else {
            left.placeholders += right.placeholders
        }
    }

    mutating func append(literal: String) { string += literal }
    mutating func append(_ name: SQLIdentifier) { string += name.spelling }
    mutating func append(_ number: Int64) { string += String(number) }
    mutating func append(quoting value: String) { string += "'\(value.replacing("'", with: "''"))'" }
}

extension SQLText: Hashable {
    /// Returns whether two texts are equal, regardless of the types of their placeholders.
    package static func == (left: SQLText, right: SQLText) -> Bool { left.string == right.string }

    package func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension SQLText: ExpressibleByStringInterpolation {
    /// Makes a text of a literal. Everything else is interpolated.
    package init(stringLiteral value: String) { string = value }

    package init(stringInterpolation: Interpolation) { self = stringInterpolation.text }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text: SQLText = ""

        /// Reserves nothing, since most texts are so short that they are stored inline.
        package init(literalCapacity: Int, interpolationCount: Int) {}
        package mutating func appendLiteral(_ literal: String) { text.append(literal: literal) }
        package mutating func appendInterpolation(_ name: SQLIdentifier) { text.append(name) }
        package mutating func appendInterpolation(_ other: SQLText) { text += other }
        package mutating func appendInterpolation(_ number: Int64) { text.append(number) }
        package mutating func appendInterpolation(_ number: Int) { text.append(Int64(number)) }

        /// Appends a placeholder for a value that each run provides.
        package mutating func appendInterpolation(placeholder: SQLPlaceholder) {
            text += SQLText(placeholder)
        }

        /// Appends a constant in quotes, for statements without placeholders: definitions and pragmas.
        package mutating func appendInterpolation(quoting value: String) { text.append(quoting: value) }
    }
}

extension Sequence<SQLText> {
    package func joined(separator: SQLText = "") -> SQLText {
        var rest = makeIterator()
        var result = rest.next() ?? ""
        while let text = rest.next() {
            result += separator
            result += text
        }
        return result
    }
}

extension Sequence<Int64> {
    /// Returns the numbers as the elements of a list, `1, 2, 3`.
    package func listed() -> SQLText { map { "\($0)" }.joined(separator: ", ") }
}

extension Sequence<SQLIdentifier> {
    package func joined(separator: SQLText) -> SQLText { map { "\($0)" }.joined(separator: separator) }
}
