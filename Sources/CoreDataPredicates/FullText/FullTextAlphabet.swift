import Foundation

/// The characters of which words consist and the characters that are treated as equal, by the rules of the
/// `unicode61` tokenizer of SQLite's FTS5 with `remove_diacritics 2`. With these rules a search in memory
/// finds the same as the index.
///
/// The tables are those of Unicode 6.1. Characters that were added later count as letters without a lower
/// case.
enum FullTextAlphabet {
    /// Returns whether a character belongs to a word: letters, digits, other numbers, characters of private
    /// use, and unassigned characters.
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return isASCIIWord(UInt8(scalar.value)) }
        if let exception = wordExceptions[scalar] { return exception }
        guard isKnown(scalar) else { return true }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse, .unassigned:
            return true
        default: return false
        }
    }

    static func isASCIIWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Returns whether a character is an accent that combines with the character before it. Such accents are
    /// ignored within words.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x304, 0x306...0x30C, 0x30F, 0x311, 0x31B, 0x323...0x328, 0x32D...0x32E, 0x330...0x331:
            true
        default: false
        }
    }

    /// Returns a character in lower case, and without accents if that leaves an ASCII letter.
    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if let exception = foldExceptions[scalar] { return exception }
        guard isKnown(scalar) else { return scalar }
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        guard let lower = mapping.first, mapping.count == 1, isKnown(lower) else { return scalar }
        let parts = String(lower).decomposedStringWithCanonicalMapping.unicodeScalars
        guard let base = parts.first, base.isASCII, parts.count > 1 else { return lower }
        return base
    }

    private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age else { return false }
        return (age.major, age.minor) <= (6, 1)
    }

    /// Characters whose category has changed since Unicode 6.1.
    private static let wordExceptions: [Unicode.Scalar: Bool] = {
        var result: [Unicode.Scalar: Bool] = ["\u{1885}": true, "\u{1886}": true]
        let signs: [ClosedRange<UInt32>] = [
            0x19B0...0x19C0, 0x19C8...0x19C9, 0x1CF2...0x1CF3, 0xFFFE...0xFFFF,
        ]
        for value in signs.joined() { result[Unicode.Scalar(value)!] = false }
        return result
    }()

    /// Characters whose folded form is not their lower case, and two letters that keep their accents.
    private static let foldExceptions: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{B5}": "\u{3BC}", "\u{130}": "i", "\u{17F}": "s", "\u{1E0}": "\u{1E1}", "\u{1E1}": "\u{1E1}",
        "\u{3C2}": "\u{3C3}", "\u{3D0}": "\u{3B2}", "\u{3D1}": "\u{3B8}", "\u{3D5}": "\u{3C6}",
        "\u{3D6}": "\u{3C0}", "\u{3F0}": "\u{3BA}", "\u{3F1}": "\u{3C1}", "\u{3F5}": "\u{3B5}",
        "\u{1E9B}": "s", "\u{1FBE}": "\u{3B9}",
    ]
}
