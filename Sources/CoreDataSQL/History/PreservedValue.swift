import CoreDataValues
import Foundation

/// The preserved value of a deleted row as bytes, for databases whose columns have values of one type. Which
/// value they are is told by the type of the attribute.
enum PreservedValue {
    /// Returns the bytes of a value; null for NaN, and for what no single column can have.
    static func stored(_ value: AttributeValue) -> SQLValue {
        if case .decimal(let number) = value {
            return number.isNaN ? .null : .blob(Data(number.description.utf8))
        }
        switch SQLValue(value) {
        case .integer(let number): return .blob(bytes(of: UInt64(bitPattern: number)))
        case .double(let number): return number.isNaN ? .null : .blob(bytes(of: number.bitPattern))
        case .text(let text): return .blob(Data(text.utf8))
        case .blob(let data): return .blob(data)
        case nil, .null, .integers, .texts: return .null
        }
    }

    /// Returns the value that an attribute of the type had; null for bytes that are none of its values.
    static func value(_ stored: SQLValue, as type: AttributeType) -> AttributeValue {
        guard case .blob(let data) = stored else { return .null }
        let value: SQLValue =
            switch type {
            case .integer16, .integer32, .integer64, .boolean:
                number(in: data).map { .integer(Int64(bitPattern: $0)) } ?? .null
            case .double, .float, .date:
                number(in: data).map { .double(Double(bitPattern: $0)) } ?? .null
            case .string, .uri, .objectID, .decimal: .text(String(decoding: data, as: UTF8.self))
            case .uuid, .binary, .transformable, .composite, .undefined: .blob(data)
            }
        return AttributeValue(value, as: type)
    }

    private static func bytes(of number: UInt64) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }

    private static func number(in data: Data) -> UInt64? {
        data.count == 8 ? data.reduce(0) { $0 << 8 | UInt64($1) } : nil
    }
}
