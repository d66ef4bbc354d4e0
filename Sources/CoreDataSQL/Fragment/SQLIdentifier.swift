import CoreDataValues

/// A name of a table, column, index or trigger.
///
/// Names get into SQL as this type alone, so that each is checked: a name that might be read as anything else
/// is put in quotes. Two names are equal if SQLite takes them for one name: if their bytes are equal,
/// regardless of the case of ASCII letters.
package struct SQLIdentifier: Sendable, CustomStringConvertible {
    /// The spelling in SQL: the name itself, or the name in quotes.
    let spelling: String

    package init(_ name: String) {
        spelling = Self.isPlain(name.utf8) ? name : Self.quoted(name)
    }

    /// The name in quotes, as queries of FTS5 need it.
    var quoted: String { Self.quoted(name) }

    private static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// The name as the database spells it, without quotes.
    package var name: String {
        guard spelling.utf8.first == UInt8(ascii: "\"") else { return spelling }
        return String(spelling.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }

    package var description: String { name }

    /// The beginnings of the names of tables and columns that stores have.
    ///
    /// No keyword of SQL begins with one of them.
    private static let prefixes = ["z", "reflexive", "fulltext_", "achange", "atransaction"]

    /// Returns whether the text can only be read as a name.
    private static func isPlain(_ name: String.UTF8View) -> Bool {
        guard prefixes.contains(where: { name.lazy.map(folded).starts(with: $0.utf8) }) else { return false }
        return name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

extension SQLIdentifier: Hashable {
    package static func == (left: SQLIdentifier, right: SQLIdentifier) -> Bool {
        if left.spelling.hasSameBytes(as: right.spelling) { return true }
        return left.spelling.utf8.count == right.spelling.utf8.count
            && left.spelling.utf8.elementsEqual(right.spelling.utf8) { folded($0) == folded($1) }
    }

    package func hash(into hasher: inout Hasher) {
        for byte in spelling.utf8 { hasher.combine(Self.folded(byte)) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension SQLIdentifier: Comparable {
    package static func < (left: SQLIdentifier, right: SQLIdentifier) -> Bool {
        left.name.precedesByCodePoint(right.name)
    }
}
