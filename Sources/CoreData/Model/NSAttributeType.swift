import CoreDataValues

/// The kinds of value an attribute can hold.
public enum NSAttributeType: UInt, @unchecked Sendable {
    case undefinedAttributeType = 0
    case integer16AttributeType = 100
    case integer32AttributeType = 200
    case integer64AttributeType = 300
    case decimalAttributeType = 400
    case doubleAttributeType = 500
    case floatAttributeType = 600
    case stringAttributeType = 700
    case booleanAttributeType = 800
    case dateAttributeType = 900
    case binaryDataAttributeType = 1000
    case UUIDAttributeType = 1100
    case URIAttributeType = 1200
    case transformableAttributeType = 1800
    case objectIDAttributeType = 2000
    case compositeAttributeType = 2100

    init(_ type: AttributeType) {
        self = NSAttributeType(rawValue: UInt(type.rawValue)) ?? .undefinedAttributeType
    }

    /// The same type as the pure layers spell it.
    var value: AttributeType { AttributeType(rawValue: Int(rawValue)) ?? .undefined }

    /// The Objective-C name of the class of a value, nil where the model has to say it.
    var valueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .objectIDAttributeType: "NSManagedObjectID"
        case .compositeAttributeType: "NSDictionary"
        case .undefinedAttributeType, .transformableAttributeType: nil
        }
    }
}

extension NSAttributeDescription {
    /// `NSAttributeType` under the short names.
    public struct AttributeType: Hashable, RawRepresentable, Sendable {
        public var rawValue: NSAttributeType

        public init(rawValue: NSAttributeType) {
            self.rawValue = rawValue
        }

        public static let undefined = Self(rawValue: .undefinedAttributeType)
        public static let integer16 = Self(rawValue: .integer16AttributeType)
        public static let integer32 = Self(rawValue: .integer32AttributeType)
        public static let integer64 = Self(rawValue: .integer64AttributeType)
        public static let decimal = Self(rawValue: .decimalAttributeType)
        public static let double = Self(rawValue: .doubleAttributeType)
        public static let float = Self(rawValue: .floatAttributeType)
        public static let string = Self(rawValue: .stringAttributeType)
        public static let boolean = Self(rawValue: .booleanAttributeType)
        public static let date = Self(rawValue: .dateAttributeType)
        public static let binaryData = Self(rawValue: .binaryDataAttributeType)
        public static let uuid = Self(rawValue: .UUIDAttributeType)
        public static let uri = Self(rawValue: .URIAttributeType)
        public static let transformable = Self(rawValue: .transformableAttributeType)
        public static let objectID = Self(rawValue: .objectIDAttributeType)
        public static let composite = Self(rawValue: .compositeAttributeType)
    }
}
