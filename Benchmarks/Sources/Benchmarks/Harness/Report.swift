import Foundation

/// A line of the report.
struct Outcome: Encodable {
    let suite: String
    let operation: String
    let unit: String
    let size: Int?
    let value: Double
    let against: String?
    let ratio: Double?
    let target: Double?
    let limit: Double?

    enum Verdict: String {
        case met
        case tolerated
        case regression
    }

    var verdict: Verdict? {
        guard let target, let limit else { return nil }
        let measured = against == nil ? value : ratio ?? .infinity
        return measured <= target ? .met : measured <= limit ? .tolerated : .regression
    }

    private enum CodingKeys: String, CodingKey {
        case suite, operation, unit, size, value, against, ratio, target, limit, verdict
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(suite, forKey: .suite)
        try container.encode(operation, forKey: .operation)
        try container.encode(unit, forKey: .unit)
        try container.encodeIfPresent(size, forKey: .size)
        try container.encode(value, forKey: .value)
        try container.encodeIfPresent(against, forKey: .against)
        try container.encodeIfPresent(ratio, forKey: .ratio)
        try container.encodeIfPresent(target, forKey: .target)
        try container.encodeIfPresent(limit, forKey: .limit)
        try container.encodeIfPresent(verdict?.rawValue, forKey: .verdict)
    }
}

/// Prints rows as a table, or writes them as JSON or Markdown.
enum Report {
    static func printHeader(_ suite: Suite) {
        print("\n\(suite.name) (\(suite.unit))")
        print(line("", "median", "ratio", "target", "limit", "", "against"))
    }

    static func print(_ rows: [Outcome]) {
        for row in rows {
            Swift.print(
                line(
                    row.operation, format(row.value), row.ratio.map(format) ?? "",
                    row.target.map(format) ?? "",
                    row.limit.map(format) ?? "", row.verdict?.rawValue ?? "", row.against ?? ""))
        }
    }

    private static func print(_ text: String) { Swift.print(text) }

    private static func line(
        _ name: String, _ value: String, _ ratio: String, _ target: String, _ limit: String,
        _ verdict: String,
        _ against: String
    ) -> String {
        func left(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.count)) + text
        }
        return left("  " + name, 46) + right(value, 9) + right(ratio, 8) + right(target, 8) + right(limit, 8)
            + "  " + left(verdict, 11) + against
    }

    private static func format(_ value: Double) -> String {
        value >= 100 ? String(format: "%.0f", value) : String(format: value >= 10 ? "%.1f" : "%.2f", value)
    }

    static func writeJSON(_ rows: [Outcome], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: URL(fileURLWithPath: path))
    }

    /// Writes a table for each suite, in the form of `Benchmarks/Results.md`.
    static func writeMarkdown(_ rows: [Outcome], to path: String) throws {
        var lines: [String] = []
        var suite: String?
        for row in rows {
            if row.suite != suite {
                suite = row.suite
                lines += ["", "## \(row.suite)", ""]
                lines.append("| | \(row.unit) | ratio | against | target | limit | |")
                lines.append("|---|---:|---:|---|---:|---:|---|")
            }
            let cells = [
                row.operation, format(row.value), row.ratio.map(format) ?? "", row.against ?? "",
                row.target.map(format) ?? "", row.limit.map(format) ?? "", row.verdict?.rawValue ?? "",
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        try Data((lines.dropFirst().joined(separator: "\n") + "\n").utf8).write(
            to: URL(fileURLWithPath: path))
    }
}
