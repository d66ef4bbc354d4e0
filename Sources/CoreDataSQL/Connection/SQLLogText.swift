import Foundation

/// A statement as lines of a log, worded like those of Apple's framework.
package enum SQLLogText {
    /// The number of characters after which a text is cut.
    private static let longestText = 200

    package static func lines(_ entry: SQLLogEntry) -> [String] {
        var lines = ["sql: \(entry.sql)"]
        for (index, value) in entry.bindings.enumerated() {
            lines.append("details: SQLite bind[\(index)] = \(text(value))")
        }
        for (index, row) in entry.rows.enumerated() {
            lines.append("details: row[\(index)] = (\(row.map(text).joined(separator: ", ")))")
        }
        lines += entry.plan.map { "details: query plan: \($0)" }
        lines.append("annotation: \(outcome(entry))")
        return lines
    }

    private static func outcome(_ entry: SQLLogEntry) -> String {
        let time = seconds(entry.duration)
        return switch entry.outcome {
        case .returned(let count): "total fetch execution time: \(time) for \(rows(count))."
        case .wrote(let count): "total execution time: \(time), \(rows(count)) written."
        case .ran: "total execution time: \(time)."
        case .failed(let message): "failed after \(time): \(message)"
        }
    }

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

    /// Returns a duration in seconds, with microseconds.
    private static func seconds(_ duration: Duration) -> String {
        let parts = duration.components
        let micros = parts.attoseconds / 1_000_000_000_000
        let digits = String(micros)
        return "\(parts.seconds).\(String(repeating: "0", count: 6 - digits.count))\(digits)s"
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: return "nil"
        case .integer(let number): return String(number)
        case .double(let number): return String(number)
        case .blob(let data): return "<\(data.count) bytes>"
        case .integers, .texts: return value.description
        case .text(let text):
            let shown = text.prefix(longestText)
            let quoted = String(shown).debugDescription
            return shown.endIndex == text.endIndex ? quoted : "\(quoted)… (\(text.count) characters)"
        }
    }
}
