/// The words and signs of a statement, without blanks, comments, and quotes around names.
///
/// They tell whether two statements are equal, and whether a statement names a column.
struct SQLWords: Equatable {
    enum Word: Hashable {
        /// A name, a keyword or a number.
        case name(SQLIdentifier)
        case text([UInt8])
        case sign(UInt8)
    }

    private(set) var all: [Word] = []

    init(_ sql: SQLText) {
        var rest = Array(sql.string.utf8)[...]
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                rest.removeFirst()
            case UInt8(ascii: "'"): all.append(.text(Self.quoted(&rest, by: byte)))
            case UInt8(ascii: "\""), UInt8(ascii: "`"):
                all.append(.name(Self.name(Self.quoted(&rest, by: byte))))
            case UInt8(ascii: "["):
                all.append(.name(Self.name(rest.dropFirst().prefix { $0 != UInt8(ascii: "]") })))
                rest = rest.drop { $0 != UInt8(ascii: "]") }.dropFirst()
            case _ where Self.isPartOfName(byte):
                all.append(.name(Self.name(rest.prefix(while: Self.isPartOfName))))
                rest = rest.drop(while: Self.isPartOfName)
            case _ where rest.starts(with: "--".utf8): rest = rest.drop { $0 != UInt8(ascii: "\n") }
            case _ where rest.starts(with: "/*".utf8):
                rest.removeFirst(2)
                while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
                rest = rest.dropFirst(2)
            default: all.append(.sign(rest.removeFirst()))
            }
        }
    }

    func contains(_ name: SQLIdentifier) -> Bool { all.contains(.name(name)) }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private static func name(_ bytes: some Collection<UInt8>) -> SQLIdentifier {
        SQLIdentifier(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the text between two quotes, in which two in a row stand for one.
    private static func quoted(_ rest: inout ArraySlice<UInt8>, by quote: UInt8) -> [UInt8] {
        rest.removeFirst()
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote {
                guard rest.first == quote else { break }
                rest.removeFirst()
            }
            result.append(byte)
        }
        return result
    }
}
