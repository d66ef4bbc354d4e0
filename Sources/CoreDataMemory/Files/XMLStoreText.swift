import CoreDataValues
import Foundation

/// The texts of attribute values in an XML store (xml-store §1).
enum XMLStoreText {
    /// Returns the name of an attribute's type.
    static func name(of type: AttributeType) -> String {
        switch type {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .boolean: "bool"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .undefined, .objectID, .composite: "binary"
        }
    }

    /// Returns seconds with twenty decimal places, as in Apple's files, or the shortest text if these do not
    /// identify the number. A format with a locale would stop at fifteen significant digits, and lose the
    /// part of a date below a microsecond.
    private static func text(seconds: Double) -> String {
        let text = String(format: "%.20f", seconds)
        return Double(text) == seconds ? text : seconds.description
    }

    /// Returns the text of a value; nil if there is no value.
    static func text(_ value: AttributeValue, of type: AttributeType) -> String? {
        switch value {
        case .null, .reference, .composite: nil
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): type == .float ? Float(number).description : number.description
        case .decimal(let number): number.description
        case .string(let text): text
        case .date(let date): Self.text(seconds: date.timeIntervalSinceReferenceDate)
        case .data(let data):
            data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        case .uuid(let uuid): uuid.uuidString
        case .uri(let url): url.absoluteString
        }
    }

    /// Returns the value that a text spells; nil if it spells no value of the type.
    static func value(_ text: String, of type: AttributeType) -> AttributeValue? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch type {
        case .integer16, .integer32, .integer64: return Int64(trimmed).map(AttributeValue.integer)
        case .boolean: return Int64(trimmed).map { .boolean($0 != 0) }
        case .double: return Double(trimmed).map(AttributeValue.double)
        // Read as a `Float`, since the shortest digits of a `Float`, read as a `Double`, give another number.
        case .float: return Float(trimmed).map { .double(Double($0)) }
        case .decimal: return AttributeValue(text: trimmed, type: .decimal)
        case .string: return .string(text)
        case .date: return Double(trimmed).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .uuid: return UUID(uuidString: trimmed).map(AttributeValue.uuid)
        case .uri: return URL(string: trimmed).map(AttributeValue.uri)
        case .binary, .transformable, .undefined, .objectID, .composite:
            return Data(base64Encoded: trimmed, options: .ignoreUnknownCharacters).map(AttributeValue.data)
        }
    }
}
