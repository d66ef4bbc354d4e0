package import CoreDataJSON
import Foundation

/// An edit or an issue of a ledger.
package struct LedgerLine: Sendable {
    /// The number of the edit among those of the device, or by which the app acknowledges the issue.
    var number: UInt64
    var kind: String
    var object: String?
    /// The stable name of the property; nil if it is about whether the object is there.
    var property: String?
    var value: JSONValue?
    /// When the value was written, and when the one that won, in milliseconds since 1970. Zero for never.
    var written: UInt64?
    var replaced: UInt64?
    var reason: String?

    private static func date(_ milliseconds: UInt64?) -> String? {
        guard let milliseconds, milliseconds > 0 else { return nil }
        return DateCoding.text(of: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    private var edit: String {
        guard let value else { return "" }
        if let property { return "\(property) = \(value.line)" }
        return value == .boolean(true) ? "is there" : value == .boolean(false) ? "is deleted" : value.line
    }

    private var json: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        return .object([
            .init("number", .integer(Int64(clamping: number))), .init("kind", .string(kind)),
            .init("object", text(object)), .init("property", text(property)), .init("value", value ?? .null),
            .init("written", text(Self.date(written))), .init("replaced", text(Self.date(replaced))),
            .init("reason", text(reason)),
        ])
    }

    package static func text(_ lines: [LedgerLine]) -> String {
        var table = TextTable([("", .right), ("", .left), ("", .left), ("", .left), ("", .left), ("", .left)])
        for line in lines {
            table.append([
                "\(line.number)", line.kind, line.object ?? "", line.edit, date(line.written) ?? "",
                line.reason ?? "",
            ])
        }
        return table.lines.joined(separator: "\n")
    }

    package static func json(_ lines: [LedgerLine]) -> JSONValue { .array(lines.map(\.json)) }
}
