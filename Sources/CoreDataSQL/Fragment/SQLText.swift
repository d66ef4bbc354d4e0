import Foundation

/// SQL without values.
///
/// It is made of literals, of names and numbers, of placeholders, and of other such texts: no string converts
/// to it, so that text from outside cannot be spliced in.
package struct SQLText: Sendable, CustomStringConvertible {
    /// The text that a database is given.
    package private(set) var string: String
    /// The types of its placeholders, in their order. Placeholders that are part of a literal have none.
    package private(set) var placeholders: [SQLPlaceholder] = []

    /// Makes the text of the statement by which a database says that one of its objects was made (`sql` of
    /// `sqlite_master`).
    package init(stored statement: String) { string = statement }

    /// Makes a number for a statement that takes no values; nil for one that SQL has no words for.
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
    /// Parentheses that begin a select count several times, as they occupy more of a database's parser.
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
    /// Returns whether two texts read alike, whatever the types of their placeholders.
    package static func == (left: SQLText, right: SQLText) -> Bool { left.string == right.string }

    package func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension SQLText: ExpressibleByStringInterpolation {
    /// Makes a text of a literal; anything else is added by interpolation.
    package init(stringLiteral value: String) { string = value }

    package init(stringInterpolation: Interpolation) { self = stringInterpolation.text }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text: SQLText = ""

        /// Reserves nothing: most texts are so short that they need no memory of their own.
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

        /// Appends a constant in quotes, for statements that take no values: definitions and pragmas.
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
