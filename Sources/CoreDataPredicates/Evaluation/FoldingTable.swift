import Foundation

/// The folded form of each character when case, diacritics or both are ignored, as Foundation's string search
/// folds it.
///
/// Case is folded by way of the capital letter, so that final sigma and `ß` match their capitals. Diacritics
/// are removed from composed letters only if these are Latin, Greek or Cyrillic, and from every letter that
/// is followed by separate marks. A table is built once for each mode, at the first string that is not ASCII,
/// which takes about 10 ms.
struct FoldingTable: Sendable {
    /// The UTF-8 of each folded character, with the first byte lowest; zero for a character that is removed.
    private let bytes: [UInt64]
    private let foldsCase: Bool
    private let dropsMarks: Bool

    /// The end of the table. All letters with relevant decompositions, and most letters with case, are below
    /// it.
    private static let limit: UInt32 = 0x3100

    private static let caseOnly = FoldingTable(foldsCase: true, dropsMarks: false)
    private static let marksOnly = FoldingTable(foldsCase: false, dropsMarks: true)
    private static let both = FoldingTable(foldsCase: true, dropsMarks: true)

    static func table(for options: ComparisonOptions) -> FoldingTable {
        guard options.contains(.caseInsensitive) else { return marksOnly }
        return options.contains(.diacriticInsensitive) ? both : caseOnly
    }

    private init(foldsCase: Bool, dropsMarks: Bool) {
        self.foldsCase = foldsCase
        self.dropsMarks = dropsMarks
        bytes = (0..<Self.limit).map { value in
            Unicode.Scalar(value).map {
                Self.fold($0, foldsCase: foldsCase, dropsMarks: dropsMarks)
            } ?? 0
        }
    }

    /// Returns the folded UTF-8 of a character.
    @inline(__always)
    func folded(_ scalar: Unicode.Scalar) -> UInt64 {
        if scalar.value < Self.limit { return bytes[Int(scalar.value)] }
        return foldedBeyondTable(scalar)
    }

    private func foldedBeyondTable(_ scalar: Unicode.Scalar) -> UInt64 {
        switch scalar.value {
        // Ideographs, syllables and private characters have neither case nor marks.
        case 0x3100..<0xA640, 0xAC00..<0xFB00, 0x20000...: Self.packed(String(scalar).utf8)
        default: Self.fold(scalar, foldsCase: foldsCase, dropsMarks: dropsMarks)
        }
    }

    // MARK: Folding one character

    private static func fold(_ scalar: Unicode.Scalar, foldsCase: Bool, dropsMarks: Bool) -> UInt64 {
        var scalars = String.UnicodeScalarView()
        let parts =
            dropsMarks && !shedsMarks(scalar)
            ? String(scalar).unicodeScalars
            : String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
        for part in parts {
            if dropsMarks, isMark(part) { continue }
            if foldsCase { scalars.append(contentsOf: withoutCase(part)) } else { scalars.append(part) }
        }
        let folded = String(scalars).utf8
        return packed(folded.count <= 8 ? folded : String(scalar).utf8)
    }

    private static func packed(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns whether a composed letter loses its diacritics.
    private static func shedsMarks(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1FCD...0x1FCF, 0x1FDD...0x1FDF: false
        case 0..<0x510, 0x1E00..<0x2000, 0x212A...0x212B, 0x2260...0x226F: true
        default: false
        }
    }

    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        let category = scalar.properties.generalCategory
        return category == .nonspacingMark || category == .enclosingMark
    }

    private static func withoutCase(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        // The capitals of the dotless i and of the iota subscript are also the capitals of other letters.
        if scalar.value == 0x131 || scalar.value == 0x345 { return String(scalar).unicodeScalars }
        return scalar.properties.uppercaseMapping.lowercased().unicodeScalars
    }
}
