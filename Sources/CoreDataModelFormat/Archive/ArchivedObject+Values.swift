package import CoreDataValues
import Foundation

/// Reads objects of Foundation's value classes in keyed archives.
extension ArchivedObject {
    /// Returns the number, string, date or other value of a field; nil if the field is nil or contains an
    /// object that is not a value.
    func attributeValue(_ key: String) -> AttributeValue? { value(key).flatMap(attributeValue) }

    func attributeValue(_ plain: PropertyList) -> AttributeValue? {
        switch plain {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .real(let value): .double(value)
        case .string(let text): .string(text)
        case .date(let date): .date(date)
        case .data(let data): .data(data)
        case .uid: object(plain)?.asValue
        case .null, .array, .dictionary: nil
        }
    }

    var asValue: AttributeValue? {
        switch className {
        case "NSDate":
            attributeValue("NS.time").flatMap { $0.number }
                .map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case "NSData", "NSMutableData": attributeValue("NS.data") ?? attributeValue("NS.bytes")
        case "NSUUID": uuid.map { .uuid($0) }
        case "NSURL": string("NS.relative").flatMap { URL(string: $0) }.map { .uri($0) }
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": decimal.map { .decimal($0) }
        default: nil
        }
    }

    private var uuid: UUID? {
        guard case .data(let bytes) = value("NS.uuidbytes"), bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private var decimal: Decimal? {
        guard case .data(let mantissa) = value("NS.mantissa") else { return nil }
        return Decimal(
            mantissaData: mantissa, isBigEndian: integer("NS.mantissa.bo") == 2,
            length: integer("NS.length") ?? 8, exponent: integer("NS.exponent") ?? 0,
            isNegative: flag("NS.negative"))
    }
}

extension AttributeValue {
    package var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        default: nil
        }
    }
}
