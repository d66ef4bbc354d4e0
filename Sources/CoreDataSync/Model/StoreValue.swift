internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// Values of attributes in the form in which they are synced, and back.
enum StoreValue {
    /// Returns the value of an attribute. What the attribute's type cannot hold, and a decimal that is no
    /// number, is no value.
    static func read(_ value: Any?, _ type: NSAttributeType) -> SyncValue {
        guard let value, !(value is NSNull) else { return .null }
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return (value as? NSNumber).map { .integer($0.int64Value) } ?? .null
        case .doubleAttributeType, .floatAttributeType:
            return (value as? NSNumber).map { .real($0.doubleValue) } ?? .null
        case .booleanAttributeType: return (value as? NSNumber).map { .boolean($0.boolValue) } ?? .null
        case .decimalAttributeType:
            let decimal = (value as? NSDecimalNumber)?.decimalValue ?? value as? Decimal
            return decimal.flatMap { CanonicalDecimal($0) }.map { .decimal($0) } ?? .null
        case .stringAttributeType: return (value as? String).map { .string($0) } ?? .null
        case .dateAttributeType:
            return (value as? Date).map { .date(seconds: $0.timeIntervalSinceReferenceDate) } ?? .null
        case .binaryDataAttributeType: return (value as? Data).map { .data(Array($0)) } ?? .null
        case .UUIDAttributeType: return (value as? UUID).map { .uuid(SyncID($0)) } ?? .null
        case .URIAttributeType: return (value as? URL).map { .uri($0.absoluteString) } ?? .null
        default: return .null
        }
    }

    /// Returns what an attribute is set to; nil for none.
    static func object(_ value: SyncValue, _ type: NSAttributeType) -> Any? {
        switch value {
        case .integer(let number):
            switch type {
            case .integer16AttributeType: NSNumber(value: Int16(truncatingIfNeeded: number))
            case .integer32AttributeType: NSNumber(value: Int32(truncatingIfNeeded: number))
            default: NSNumber(value: number)
            }
        case .double(let bits):
            type == .floatAttributeType
                ? NSNumber(value: Float(Double(bitPattern: bits))) : NSNumber(value: Double(bitPattern: bits))
        case .boolean(let value): NSNumber(value: value)
        case .decimal(let number): NSDecimalNumber(decimal: number.decimal)
        case .string(let text): text
        case .date(let bits): Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
        case .data(let bytes): Data(bytes)
        case .uuid(let id): id.uuid
        case .uri(let text): URL(string: text)
        case .null, .reference, .blob, .position, .composite: nil
        }
    }
}
