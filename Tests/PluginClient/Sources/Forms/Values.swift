public import CoreData

/// Every type of an attribute, optional and not.
public class Values: NSManagedObject {
    @NSManaged public var int16: Int16
    @NSManaged public var int32: Int32
    @NSManaged public var int64: Int64
    @NSManaged public var int: Int
    @NSManaged public var double: Double
    @NSManaged public var float: Float
    @NSManaged public var bool: Bool
    @NSManaged public var maybeCount: Int32?
    @NSManaged public var boxed: NSNumber?
    @NSManaged public var boxedFlag: NSNumber?
    @NSManaged public var text: String
    @NSManaged public var maybeText: String?
    @NSManaged public var date: Date
    @NSManaged public var maybeDate: Date?
    @NSManaged public var interval: TimeInterval
    @NSManaged public var data: Data
    @NSManaged public var maybeData: Data?
    @NSManaged public var identifier: UUID?
    @NSManaged public var link: URL?
    @NSManaged public var decimal: Decimal
    @NSManaged public var decimalNumber: NSDecimalNumber?
    @NSManaged public var whole: Int
    @NSManaged public var fraction: Double
    @NSManaged public var grade: Grade
    @NSManaged public var state: State
    @NSManaged public var `default`: String?
}

/// A number with names.
public enum Grade: Int16 {
    case none, good, best
}

/// Texts with names; open to more of them.
public struct State: RawRepresentable, Hashable, Sendable {
    public static let draft = State(rawValue: "draft")
    public static let done = State(rawValue: "done")

    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
