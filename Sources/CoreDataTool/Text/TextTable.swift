/// A table with headings, whose columns are as wide as their widest cell.
package struct TextTable {
    package enum Alignment: Sendable {
        case left
        case right
    }

    private let headings: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    package init(_ columns: [(heading: String, alignment: Alignment)]) {
        headings = columns.map(\.heading)
        alignments = columns.map(\.alignment)
    }

    package mutating func append(_ cells: [String]) {
        rows.append(cells.map(Self.oneLine))
    }

    package var isEmpty: Bool { rows.isEmpty }

    /// The lines of the table, without headings if all of them are empty.
    package var lines: [String] {
        let hasHeadings = headings.contains { !$0.isEmpty }
        let all = (hasHeadings ? [headings] : []) + rows
        let widths = headings.indices.map { column in all.map { Self.width($0[column]) }.max() ?? 0 }
        var lines = all.map { line($0, widths) }
        if hasHeadings { lines.insert(line(widths.map { String(repeating: "-", count: $0) }, widths), at: 1) }
        return lines
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let padding = String(repeating: " ", count: widths[column] - Self.width(cells[column]))
            return alignments[column] == .left ? cells[column] + padding : padding + cells[column]
        }
        let text = padded.joined(separator: "  ")
        return String(text.reversed().drop { $0 == " " }.reversed())
    }

    /// Returns the approximate number of terminal columns that a text takes. Characters of East Asian scripts
    /// and emoji take two.
    private static func width(_ text: String) -> Int {
        text.utf8.count == text.unicodeScalars.count
            ? text.utf8.count : text.reduce(0) { $0 + (isWide($1) ? 2 : 1) }
    }

    private static func isWide(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
            || (0x2E80...0xA4CF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
            || (0xF900...0xFAFF).contains(scalar.value) || (0xFE30...0xFE6F).contains(scalar.value)
            || (0xFF00...0xFF60).contains(scalar.value) || (0x20000...0x3FFFD).contains(scalar.value)
    }

    /// Returns a cell as one line, with line breaks and tabs as escapes.
    private static func oneLine(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case _ where scalar.value < 0x20: line += "\u{FFFD}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
