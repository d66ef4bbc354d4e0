import CoreData
package import CoreDataJSON
package import CoreDataModelFormat
package import CoreDataValues
import Foundation

/// A decoder of attribute values from JSON that `CellValue.json` or a person wrote.
package struct AttributeDecoding {
    /// The composites of the model, which describe their elements.
    private let composites: [CompositeElement]

    package init(composites: [CompositeElement]) {
        self.composites = composites
    }

    /// Returns the value of an attribute; nil for null.
    ///
    /// - Throws: A `ToolError` that says which form was expected.
    package func value(_ json: JSONValue, as type: AttributeType, composite: String? = nil) throws(ToolError)
        -> Any?
    {
        if json == .null { return nil }
        if type == .composite { return try elements(json, of: composite) }
        guard let value = Self.value(json, as: type) else {
            throw ToolError("\(json.line) is no \(Self.names[type] ?? "value")")
        }
        return value
    }

    private static func value(_ json: JSONValue, as type: AttributeType) -> Any? {
        switch type {
        case .integer16: integer(json, Int64(Int16.min)...Int64(Int16.max))
        case .integer32: integer(json, Int64(Int32.min)...Int64(Int32.max))
        case .integer64: integer(json, Int64.min...Int64.max)
        case .boolean: boolean(json)
        case .double, .float: double(json).map { NSNumber(value: $0) }
        case .decimal: decimal(json)
        case .string: json.string
        case .date: date(json)
        case .binary, .transformable: json.string.flatMap { Data(base64Encoded: $0) }
        case .uuid: json.string.flatMap { UUID(uuidString: $0) }
        case .uri: json.string.flatMap { URL(string: $0) }
        case .undefined, .objectID, .composite: nil
        }
    }

    private static func integer(_ json: JSONValue, _ range: ClosedRange<Int64>) -> NSNumber? {
        guard case .integer(let number) = json, range.contains(number) else { return nil }
        return NSNumber(value: number)
    }

    private static func boolean(_ json: JSONValue) -> NSNumber? {
        switch json {
        case .boolean(let value): NSNumber(value: value)
        case .integer(0): NSNumber(value: false)
        case .integer(1): NSNumber(value: true)
        default: nil
        }
    }

    private static func double(_ json: JSONValue) -> Double? {
        switch json {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .string("nan"): .nan
        case .string("inf"): .infinity
        case .string("-inf"): -.infinity
        default: nil
        }
    }

    private static func decimal(_ json: JSONValue) -> NSDecimalNumber? {
        let text: String? =
            switch json {
            case .string(let text): text
            case .integer, .double: json.line
            default: nil
            }
        guard let text, case .decimal(let value)? = AttributeValue(text: text, type: .decimal) else {
            return text == "NaN" ? .notANumber : nil
        }
        return NSDecimalNumber(decimal: value)
    }

    private static func date(_ json: JSONValue) -> Date? {
        if let seconds = double(json) { return Date(timeIntervalSinceReferenceDate: seconds) }
        return json.string.flatMap(DateCoding.date)
    }

    private func elements(_ json: JSONValue, of composite: String?) throws(ToolError) -> [String: Any] {
        guard case .object(let members) = json,
            let element = composites.first(where: { $0.name == composite })
        else { throw ToolError("\(json.line) is no composite value") }
        var values: [String: Any] = [:]
        for member in members {
            guard let attribute = element.attributes.first(where: { $0.name == member.key }) else {
                throw ToolError("\(element.name) has no element \"\(member.key)\"")
            }
            values[member.key] = try value(
                member.value, as: attribute.type, composite: attribute.compositeName)
        }
        return values
    }

    private static let names: [AttributeType: String] = [
        .integer16: "Integer 16", .integer32: "Integer 32", .integer64: "Integer 64", .boolean: "Boolean",
        .double: "Double", .float: "Float", .decimal: "Decimal", .string: "String",
        .date: "date, as 2001-01-01T00:00:00Z or seconds since 2001", .binary: "Base64 of bytes",
        .transformable: "Base64 of stored bytes", .uuid: "UUID", .uri: "URI",
    ]
}
