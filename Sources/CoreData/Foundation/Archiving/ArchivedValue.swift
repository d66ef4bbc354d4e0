import CoreDataPredicates
import CoreDataValues
import Foundation

/// The conversion between constants and the objects that archives hold.
enum ArchivedValue {
    /// The classes that a constant may be made of.
    static let classes: [AnyClass] = [
        NSString.self, NSNumber.self, NSDate.self, NSData.self, NSUUID.self, NSURL.self, NSArray.self,
        NSSet.self,
        NSNull.self, ArchivedDecimal.self,
    ]

    static func object(for value: ExpressionValue) -> NSObject? {
        switch value {
        case .value(.decimal(let number)): ArchivedDecimal(number)
        case .value(let value): value.unboxed.map(object)
        case .collection(let elements, let isOrdered):
            isOrdered
                ? NSArray(array: elements.map { object(for: $0) ?? NSNull() })
                : NSSet(array: elements.map { object(for: $0) ?? NSNull() })
        case .object, .opaque: nil
        }
    }

    private static func object(_ value: Any) -> NSObject {
        switch value {
        case let text as String: NSString(string: text)
        case let date as Date: date as NSDate
        case let data as Data: data as NSData
        case let uuid as UUID: uuid as NSUUID
        case let url as URL: url as NSURL
        default: value as? NSObject ?? NSNull()
        }
    }

    static func value(of object: Any?) -> ExpressionValue {
        switch object {
        case let decimal as ArchivedDecimal: .value(.decimal(decimal.number))
        case let array as NSArray: .collection(array.map { value(of: $0) }, isOrdered: true)
        case let set as NSSet: .collection(set.map { value(of: $0) }, isOrdered: false)
        default: ExpressionValue(boxing: object)
        }
    }
}

/// A decimal number with Apple's keys.
///
/// Foundation on Linux cannot read back what it archives itself.
final class ArchivedDecimal: NSObject, NSSecureCoding {
    let number: Decimal

    init(_ number: Decimal) {
        self.number = number
    }

    init?(coder: NSCoder) {
        let mantissa = coder.withDecodedUnsafeBufferPointer(forKey: "NS.mantissa") { $0.map { Data($0) } }
        guard let mantissa,
            let number = Decimal(
                mantissaData: mantissa,
                isBigEndian: coder.decodeInteger(forKey: "NS.mantissa.bo") == 2,
                length: coder.decodeInteger(forKey: "NS.length"),
                exponent: coder.decodeInteger(forKey: "NS.exponent"),
                isNegative: coder.decodeBool(forKey: "NS.negative"))
        else { return nil }
        self.number = number
    }

    func encode(with coder: NSCoder) {
        [UInt8](number.mantissaData).withUnsafeBufferPointer {
            coder.encodeBytes($0.baseAddress, length: $0.count, forKey: "NS.mantissa")
        }
        coder.encode(1, forKey: "NS.mantissa.bo")
        coder.encode(number.mantissaWords.count, forKey: "NS.length")
        coder.encode(number.exponent, forKey: "NS.exponent")
        coder.encode(number.isSignMinus, forKey: "NS.negative")
        coder.encode(true, forKey: "NS.compact")
    }

    override class func classFallbacksForKeyedArchiver() -> [String] { ["NSDecimalNumber"] }

    static var supportsSecureCoding: Bool { true }
}
