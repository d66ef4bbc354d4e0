import CoreDataPredicates
import CoreDataValues
import Foundation

/// Constants as the objects that archives hold.
enum ArchivedValue {
    /// What a constant may be made of.
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

/// A decimal number; Foundation's own cannot be archived on Linux.
final class ArchivedDecimal: NSObject, NSSecureCoding {
    let number: Decimal

    init(_ number: Decimal) {
        self.number = number
    }

    init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "decimal"),
            let number = Decimal(string: text as String)
        else { return nil }
        self.number = number
    }

    func encode(with coder: NSCoder) { coder.encode("\(number)" as NSString, forKey: "decimal") }

    static var supportsSecureCoding: Bool { true }
}
