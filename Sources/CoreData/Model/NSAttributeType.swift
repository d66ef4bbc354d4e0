import CoreDataValues

/// The kinds of value that an attribute can hold, with Apple's numbers.
public enum NSAttributeType: UInt, @unchecked Sendable {
    /// Any object; for transient attributes.
    case undefinedAttributeType = 0
    /// A whole number of 16 bits.
    case integer16AttributeType = 100
    /// A whole number of 32 bits.
    case integer32AttributeType = 200
    /// A whole number of 64 bits.
    case integer64AttributeType = 300
    /// A decimal number: `NSDecimalNumber`.
    case decimalAttributeType = 400
    /// A floating-point number of 64 bits.
    case doubleAttributeType = 500
    /// A floating-point number of 32 bits.
    case floatAttributeType = 600
    /// A text.
    case stringAttributeType = 700
    /// True or false.
    case booleanAttributeType = 800
    /// A point in time: `Date`.
    case dateAttributeType = 900
    /// Bytes: `Data`.
    case binaryDataAttributeType = 1000
    /// A `UUID`.
    case UUIDAttributeType = 1100
    /// A `URL`.
    case URIAttributeType = 1200
    /// An object that a value transformer turns into data.
    case transformableAttributeType = 1800
    /// An `NSManagedObjectID`. The type of columns of dictionary results.
    case objectIDAttributeType = 2000
    /// A dictionary of named elements: an `NSCompositeAttributeDescription`.
    case compositeAttributeType = 2100

    /// Makes the public type from the type that internal targets use.
    init(_ type: AttributeType) {
        self = NSAttributeType(rawValue: UInt(type.rawValue)) ?? .undefinedAttributeType
    }

    /// The type that internal targets use.
    var value: AttributeType { AttributeType(rawValue: Int(rawValue)) ?? .undefined }

    /// The Objective-C name of the class of a value; nil if only the model can name it.
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
    /// An `NSAttributeType` under the short names.
    public struct AttributeType: Hashable, RawRepresentable, Sendable {
        /// The type under Apple's older name.
        public var rawValue: NSAttributeType

        /// Makes a type from one under Apple's older name.
        public init(rawValue: NSAttributeType) {
            self.rawValue = rawValue
        }

        /// Any object; for transient attributes.
        public static let undefined = Self(rawValue: .undefinedAttributeType)
        /// A whole number of 16 bits.
        public static let integer16 = Self(rawValue: .integer16AttributeType)
        /// A whole number of 32 bits.
        public static let integer32 = Self(rawValue: .integer32AttributeType)
        /// A whole number of 64 bits.
        public static let integer64 = Self(rawValue: .integer64AttributeType)
        /// A decimal number: `NSDecimalNumber`.
        public static let decimal = Self(rawValue: .decimalAttributeType)
        /// A floating-point number of 64 bits.
        public static let double = Self(rawValue: .doubleAttributeType)
        /// A floating-point number of 32 bits.
        public static let float = Self(rawValue: .floatAttributeType)
        /// A text.
        public static let string = Self(rawValue: .stringAttributeType)
        /// True or false.
        public static let boolean = Self(rawValue: .booleanAttributeType)
        /// A point in time: `Date`.
        public static let date = Self(rawValue: .dateAttributeType)
        /// Bytes: `Data`.
        public static let binaryData = Self(rawValue: .binaryDataAttributeType)
        /// A `UUID`.
        public static let uuid = Self(rawValue: .UUIDAttributeType)
        /// A `URL`.
        public static let uri = Self(rawValue: .URIAttributeType)
        /// An object that a value transformer turns into data.
        public static let transformable = Self(rawValue: .transformableAttributeType)
        /// An `NSManagedObjectID`, for columns of dictionary results.
        public static let objectID = Self(rawValue: .objectIDAttributeType)
        /// A dictionary of named elements.
        public static let composite = Self(rawValue: .compositeAttributeType)
    }
}
