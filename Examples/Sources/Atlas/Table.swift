import Foundation

/// Rows of text under headings, in columns as wide as their widest cell. Numbers stand at the right.
struct Table: CustomStringConvertible {
    var columns: [String]
    var rows: [[String]] = []
    /// A line below the rows.
    var note: String?

    var description: String {
        let widths = columns.indices.map { column in
            ([columns[column]] + rows.map { $0[column] }).map(\.count).max() ?? 0
        }
        let numeric = columns.indices.map { column in rows.allSatisfy { Double($0[column]) != nil } }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return numeric[column] ? space + cells[column] : cells[column] + space
            }
            let line = "  " + padded.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([line(columns), line(rule)] + rows.map(line) + (note.map { ["  " + $0] } ?? [])).joined(
            separator: "\n")
    }
}
