import CoreDataValues
import Foundation

/// Conversions from and to the values that apps pass in and receive.
extension ExpressionValue {
    /// The value as key-value coding returns it: numbers as `NSNumber`, collections as `NSArray` and `NSSet`,
    /// null as nil.
    package var unboxed: Any? {
        switch self {
        case .value(let value): value.unboxed
        case .collection(let elements, let isOrdered):
            isOrdered
                ? NSArray(array: elements.map { $0.unboxed ?? NSNull() })
                : NSSet(array: elements.map { $0.unboxed ?? NSNull() })
        case .object(let object): object.unboxed
        case .opaque(let value): (value.base as? UnhashableValue)?.value ?? value.base
        }
    }

    /// Makes a value from any value of an app. If it is neither of a stored type nor a collection or an
    /// object with keys, it is opaque.
    package init(boxing value: Any?) {
        guard let value else {
            self = .null
            return
        }
        if let plain = AttributeValue(plain: value) {
            self = .value(plain)
            return
        }
        // Objects come first: lists of them are long, and each cast to a protocol costs a search.
        let known =
            type(of: value) is AnyClass ? Self(object: value as AnyObject) : Self(structure: value)
        self = known ?? .opaque(value as? AnyHashable ?? AnyHashable(UnhashableValue(value)))
    }

    private init?(object: AnyObject) {
        switch object {
        case let object as any KeyedValues: self = .object(object)
        case let array as NSArray: self.init(array.map { $0 }, isOrdered: true)
        case let set as NSOrderedSet: self.init(set.map { $0 }, isOrdered: true)
        case let set as NSSet: self.init(set.map { $0 }, isOrdered: false)
        case let dictionary as NSDictionary: self = .object(KeyedDictionary(dictionary))
        default:
            guard let value = AttributeValue(boxing: object) else { return nil }
            self = .value(value)
        }
    }

    private init?(structure value: Any) {
        switch value {
        case let list as any ListValue: self = .collection(list.boxed, isOrdered: list.isOrdered)
        case let value as any OptionalValue: self.init(boxing: value.unwrapped)
        case let value as ExpressionValue: self = value
        case let value as AttributeValue: self = .value(value)
        case let reference as ObjectReference: self = .value(.reference(reference))
        case let dictionary as [AnyHashable: Any]:
            self = .object(KeyedDictionary(NSDictionary(dictionary: dictionary)))
        default:
            guard let value = AttributeValue(boxing: value) else { return nil }
            self = .value(value)
        }
    }

    private init(_ elements: [Any?], isOrdered: Bool) {
        self = .collection(elements.map(ExpressionValue.init(boxing:)), isOrdered: isOrdered)
    }
}

extension AttributeValue {
    package var unboxed: Any? {
        switch self {
        case .null: nil
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .decimal(let number): HashedDecimalNumber(decimal: number)
        case .string(let string): string
        case .date(let date): date
        case .data(let data): data
        case .uuid(let uuid): uuid
        case .uri(let url): url
        case .reference(let reference): reference
        case .composite(let elements): elements.mapValues { $0.unboxed ?? NSNull() }
        }
    }

    /// Makes a value of one of the most common types; nil for others. It compares types, which is fast, while
    /// a cast to a protocol looks up the type's conformances.
    package init?(plain value: Any) {
        let type = type(of: value)
        if type == String.self {
            self = .string(value as! String)
        } else if type == Int.self {
            self = .integer(Int64(value as! Int))
        } else if type == Int64.self {
            self = .integer(value as! Int64)
        } else if type == Int32.self {
            self = .integer(Int64(value as! Int32))
        } else if type == Int16.self {
            self = .integer(Int64(value as! Int16))
        } else if type == Double.self {
            self = .double(value as! Double)
        } else if type == Bool.self {
            self = .boolean(value as! Bool)
        } else if type == Date.self {
            self = .date(value as! Date)
        } else if type == UUID.self {
            self = .uuid(value as! UUID)
        } else {
            return nil
        }
    }

    /// Makes a value of a stored type from a Swift or Foundation value.
    package init?(boxing value: Any) {
        switch value {
        // Objects come first, since a number object can be cast to any number type.
        case _ where type(of: value) is AnyClass: self.init(object: value as AnyObject)
        case let flag as Bool: self = .boolean(flag)
        case let number as any BinaryInteger: self = .integer(Int64(clamping: number))
        case let number as any BinaryFloatingPoint: self = .double(Double(number))
        case let number as Decimal: self = .decimal(number)
        case let string as any StringProtocol: self = .string(String(string))
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .uuid(uuid)
        case let url as URL: self = .uri(url)
        default: return nil
        }
    }

    private init?(object: AnyObject) {
        switch object {
        case is NSNull: self = .null
        case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
        case let number as NSNumber:
            switch number.objCType.pointee {
            case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "f")): self = .double(number.doubleValue)
            case CChar(UInt8(ascii: "B")): self = .boolean(number.boolValue)
            default:
                self =
                    number === (true as NSNumber) || number === (false as NSNumber)
                    ? .boolean(number.boolValue) : .integer(number.int64Value)
            }
        case let string as NSString: self = .string(string as String)
        case let date as NSDate: self = .date(date as Date)
        case let data as NSData: self = .data(data as Data)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let url as NSURL: self = .uri(url as URL)
        default: return nil
        }
    }
}

/// An optional. The protocol is used to unwrap optionals inside `Any`.
private protocol OptionalValue {
    var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var unwrapped: Any? { map { ($0 as? any OptionalValue).map(\.unwrapped) ?? $0 } ?? nil }
}

/// A collection of Swift. The protocol is used to find it inside `Any`, without making an object of it.
private protocol ListValue {
    var boxed: [ExpressionValue] { get }
    var isOrdered: Bool { get }
}

extension Array: ListValue {
    fileprivate var boxed: [ExpressionValue] { map { ExpressionValue(boxing: $0) } }
    fileprivate var isOrdered: Bool { true }
}

extension Set: ListValue {
    fileprivate var boxed: [ExpressionValue] { map { ExpressionValue(boxing: $0) } }
    fileprivate var isOrdered: Bool { false }
}

/// Its bounds are those of `BETWEEN`.
extension ClosedRange: ListValue {
    fileprivate var boxed: [ExpressionValue] { [lowerBound, upperBound].map { ExpressionValue(boxing: $0) } }
    fileprivate var isOrdered: Bool { true }
}

/// A value that is not hashable: objects are compared by identity, other values are equal only to their own
/// box.
private final class UnhashableValue: Hashable {
    let value: Any
    private let identity: ObjectIdentifier?

    init(_ value: Any) {
        self.value = value
        identity = type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
    }

    static func == (left: UnhashableValue, right: UnhashableValue) -> Bool {
        left === right || (left.identity != nil && left.identity == right.identity)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(identity ?? ObjectIdentifier(self)) }
}
