import CoreDataValues

/// A name of a table, column, index or trigger. SQL takes names as this type alone, so that none gets into a text as
/// it is: what might be read as anything but a name stands in quotes.
///
/// Two names are equal where SQLite takes them for one: by their bytes, letters of ASCII without their case.
package struct SQLIdentifier: Sendable, CustomStringConvertible {
    /// As SQL spells it: the name itself, or the name in quotes.
    let spelling: String

    package init(_ name: String) {
        spelling = Self.isPlain(name.utf8) ? name : Self.quoted(name)
    }

    /// The name in quotes, where a language other than SQL takes no other form.
    var quoted: String { Self.quoted(name) }

    private static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// As the database spells it, without quotes.
    package var name: String {
        guard spelling.utf8.first == UInt8(ascii: "\"") else { return spelling }
        return String(spelling.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }

    package var description: String { name }

    /// What the names begin with that stores give to what is theirs. No keyword of SQL does.
    private static let prefixes = ["z", "reflexive", "fulltext_", "achange", "atransaction"]

    /// Whether nothing but a name can be meant.
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
