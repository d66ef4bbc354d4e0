import CoreDataJSON
import CoreDataTool
import CoreDataValues
import Foundation

/// One cell of a list, as the page shows it.
enum StoreCell: Sendable, Hashable {
    case value(AttributeValue)
    /// The beginning of a text, and its length in characters.
    case text(String, length: Int)
    /// The first bytes of data, and its length.
    case data(Data, length: Int)
    case link(String, title: String?)
    case count(Int)
    case unreadable(String)

    /// The cell as JSON: a plain value where its column's type says the rest.
    var json: JSONValue {
        switch self {
        case .value(let value): return Self.json(value)
        case .text(let text, let length):
            if text.unicodeScalars.count >= length { return .string(text) }
            return .object([.init("text", .string(text)), .init("length", .integer(Int64(length)))])
        case .data(let bytes, let length):
            return .object([
                .init("bytes", .string(Self.hexadecimal(bytes))), .init("length", .integer(Int64(length))),
                .init("kind", StoredFormat(bytes).map { .string($0.rawValue) } ?? .null),
            ])
        case .link(let name, let title):
            return .object([
                .init("id", .string(name)), .init("title", title.map { .string($0) } ?? .null),
            ])
        case .count(let count): return .object([.init("count", .integer(Int64(count)))])
        case .unreadable(let reason): return .object([.init("unreadable", .string(reason))])
        }
    }

    static func json(_ value: AttributeValue) -> JSONValue {
        switch value {
        case .null: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): integer(number)
        case .double(let number): .double(number)
        case .decimal(let number): .string(number.description)
        case .string(let text): .string(text)
        case .date(let date):
            DateCoding.text(of: date).map { .string($0) } ?? .double(date.timeIntervalSinceReferenceDate)
        case .data(let data): StoreCell.data(Data(data.prefix(16)), length: data.count).json
        case .uuid(let uuid): .string(uuid.uuidString)
        case .uri(let url): .string(url.absoluteString)
        case .reference(let row): .integer(row.key)
        case .composite(let elements):
            .object(elements.sorted { $0.key < $1.key }.map { .init($0.key, json($0.value)) })
        }
    }

    /// Returns a number; as a text if a page's numbers, which are doubles, are not exact enough for it.
    private static func integer(_ number: Int64) -> JSONValue {
        number.magnitude <= 1 << 53 ? .integer(number) : .string(String(number))
    }

    private static func hexadecimal(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
