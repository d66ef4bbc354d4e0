import Foundation

/// SQL without values. It is made of literals, of names and numbers, and of other such texts: a string is none, so that
/// what comes from outside cannot be spliced in.
package struct SQLText: Sendable, Hashable, CustomStringConvertible {
    /// What a database is given.
    package private(set) var string: String

    /// The statement by which a database says that one of its objects was made (`sql` of `sqlite_master`).
    package init(stored statement: String) { string = statement }

    /// A number in a statement that takes no values; nil for one that SQL has no words for.
    init?(literal number: Double) {
        guard number.isFinite else { return nil }
        string = String(number)
    }

    init?(literal number: Decimal) {
        guard number.isFinite else { return nil }
        string = number.description
    }

    package var isEmpty: Bool { string.isEmpty }
    package var description: String { string }

    package static func + (left: SQLText, right: SQLText) -> SQLText {
        var result = left
        result += right
        return result
    }

    package static func += (left: inout SQLText, right: SQLText) { left.string += right.string }

    mutating func append(literal: String) { string += literal }
    mutating func append(_ name: SQLIdentifier) { string += name.spelling }
    mutating func append(_ number: Int64) { string += String(number) }
    mutating func append(quoting value: String) { string += "'\(value.replacing("'", with: "''"))'" }
}

extension SQLText: ExpressibleByStringInterpolation {
    /// Takes a literal; anything else comes by interpolation.
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

        /// A constant in a statement that takes no values: definitions and pragmas.
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

extension Sequence<SQLIdentifier> {
    package func joined(separator: SQLText) -> SQLText { map { "\($0)" }.joined(separator: separator) }
}
