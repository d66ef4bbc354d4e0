import CoreDataValues

/// A name of a table, column, index or trigger.
///
/// Names get into SQL as this type alone, so that each is checked: a name that might be read as anything else
/// is put in quotes. Two names are equal if SQLite takes them for one name: if their bytes are equal,
/// regardless of the case of ASCII letters.
///
/// Functions that go through the bytes of a name are not inlined: each place that makes or compares names would contain
/// all of their code.
package struct SQLIdentifier: Sendable, CustomStringConvertible {
    /// The spelling in SQL: the name itself, or the name in quotes.
    let spelling: String

    @inline(never)
    package init(_ name: String) {
        spelling = Self.isPlain(name.utf8) ? name : Self.quoted(name)
    }

    private init(spelling: String) {
        self.spelling = spelling
    }

    /// Makes a name of something that others have named, in quotes: databases that do not tell the cases of
    /// letters apart otherwise do so in quotes.
    package static func foreign(_ name: String) -> SQLIdentifier { SQLIdentifier(spelling: quoted(name)) }

    /// Makes a name that SQL without quotes finds, however it spells the ASCII letters, in a database that takes
    /// names without quotes for names in lower case.
    package static func folding(_ name: String) -> SQLIdentifier {
        foreign(String(decoding: name.utf8.map(folded), as: UTF8.self))
    }

    /// Whether the name has to be in quotes.
    var isQuoted: Bool { spelling.utf8.first == UInt8(ascii: "\"") }

    /// The name in quotes, as queries of FTS5 need it.
    var quoted: String { Self.quoted(name) }

    private static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// The name as the database spells it, without quotes.
    package var name: String {
        guard isQuoted else { return spelling }
        return String(spelling.dropFirst().dropLast()).replacing("\"\"", with: "\"")
    }

    package var description: String { name }

    /// Returns the name if it has at most `longest` bytes; otherwise its beginning, with a hash of the whole
    /// name after it. Equal names stay equal.
    package func shortened(to longest: Int) -> SQLIdentifier {
        let name = name
        guard name.utf8.count > longest else { return self }
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32(Self.folded($1))) &* 16_777_619 }
        let digits = String(hash, radix: 16, uppercase: true)
        let end = "_" + String(repeating: "0", count: 8 - digits.count) + digits
        var beginning = ""
        for scalar in name.unicodeScalars {
            guard beginning.utf8.count + UTF8.width(scalar) + end.utf8.count <= longest else { break }
            beginning.unicodeScalars.append(scalar)
        }
        return SQLIdentifier(beginning + end)
    }

    /// The beginnings of the names of tables and columns that stores have.
    ///
    /// No keyword of SQL begins with one of them.
    private static let prefixes = ["z", "reflexive", "fulltext_", "keys_", "achange", "atransaction"]

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
    @inline(never)
    package static func == (left: SQLIdentifier, right: SQLIdentifier) -> Bool {
        if left.spelling.hasSameBytes(as: right.spelling) { return true }
        return left.spelling.utf8.count == right.spelling.utf8.count
            && left.spelling.utf8.elementsEqual(right.spelling.utf8) { folded($0) == folded($1) }
    }

    @inline(never)
    package func hash(into hasher: inout Hasher) {
        for byte in spelling.utf8 { hasher.combine(Self.folded(byte)) }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension SQLIdentifier: Comparable {
    @inline(never)
    package static func < (left: SQLIdentifier, right: SQLIdentifier) -> Bool {
        left.name.precedesByCodePoint(right.name)
    }
}
