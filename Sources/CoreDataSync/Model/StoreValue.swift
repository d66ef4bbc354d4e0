internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// Values of attributes in the form in which they are synced, and back.
enum StoreValue {
    /// Returns the value of an attribute. What the attribute's type cannot hold, and a decimal that is no
    /// number, is no value.
    static func read(_ value: Any?, _ attribute: AttributeBinding) -> SyncValue {
        guard let value, !(value is NSNull) else { return .null }
        switch attribute.type {
        case .transformableAttributeType: return TransformableValue.read(value, attribute.transformer)
        case .compositeAttributeType: return composite(value, attribute.elements)
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

    /// Whether an object has a value.
    static func isShown(
        _ value: SyncValue, _ attribute: AttributeBinding, by object: NSManagedObject
    ) -> Bool {
        let present = read(object.primitive(attribute.property), attribute)
        return present == value || !value.blobs.isEmpty && present.apart(above: BlobFolder.limit) == value
    }

    /// Returns the elements that have a value; null if none has one.
    private static func composite(_ value: Any, _ elements: [AttributeBinding]) -> SyncValue {
        guard let values = value as? [String: Any] else { return .null }
        let present = elements.map { ($0.element, read(values[$0.property], $0)) }.filter { !$0.1.isNull }
        return present.isEmpty ? .null : .group(Dictionary(present) { $1 })
    }

    /// Returns what an attribute is set to; nil for none.
    static func object(_ value: SyncValue, _ attribute: AttributeBinding) -> Any? {
        let type = attribute.type
        switch value {
        case .data(let bytes) where type == .transformableAttributeType:
            return TransformableValue.object(bytes, attribute.transformer)
        case .composite(let parts): return object(parts, attribute.elements)
        default: return object(value, type)
        }
    }

    private static func object(
        _ parts: [SyncValue.Element], _ elements: [AttributeBinding]
    ) -> [String: Any] {
        var values: [String: Any] = [:]
        for part in parts {
            guard let element = elements.first(where: { $0.element == part.name }) else { continue }
            values[element.property] = object(part.value, element)
        }
        return values
    }

    private static func object(_ value: SyncValue, _ type: NSAttributeType) -> Any? {
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
