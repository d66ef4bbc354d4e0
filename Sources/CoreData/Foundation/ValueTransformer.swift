import CoreDataModelFormat
public import Foundation
import Synchronization

/// The name a value transformer is registered under.
public struct NSValueTransformerName: Hashable, RawRepresentable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName(
        "NSSecureUnarchiveFromData")
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName(
        "NSKeyedUnarchiveFromData")
}

/// Turns values into others and, if it can, back.
///
/// Subclasses are registered by name and found by transformable attributes.
open class ValueTransformer: NSObject {
    public override init() { super.init() }

    private struct Registry: @unchecked Sendable {
        /// Those that unarchive any class on Apple's systems keep to the allowed ones here.
        var transformers: [NSValueTransformerName: ValueTransformer] = [
            .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
            .keyedUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
            .unarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
        ]
    }

    private static let registry = Mutex(Registry())

    open class func setValueTransformer(
        _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
        nonisolated(unsafe) let transformer = transformer
        registry.withLock { $0.transformers[name] = transformer }
    }

    open class func valueTransformerNames() -> [NSValueTransformerName] {
        registry.withLock { Array($0.transformers.keys) }
    }

    static func registered(_ name: NSValueTransformerName) -> ValueTransformer? {
        let known = registry.withLock { Sendability(transformer: $0.transformers[name]) }
        if let transformer = known.transformer { return transformer }
        guard let transformer = ManagedClasses.transformer(named: name.rawValue) ?? own(name) else {
            return nil
        }
        setValueTransformer(transformer, forName: name)
        return transformer
    }

    /// Makes an instance of the framework's own class of that name.
    private static func own(_ name: NSValueTransformerName) -> ValueTransformer? {
        name == "NSSecureUnarchiveFromDataTransformer" ? NSSecureUnarchiveFromDataTransformer() : nil
    }

    private struct Sendability: @unchecked Sendable {
        let transformer: ValueTransformer?
    }

    open class func transformedValueClass() -> AnyClass { NSObject.self }
    open class func allowsReverseTransformation() -> Bool { true }
    open func transformedValue(_ value: Any?) -> Any? { value }
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        programmerError("\(type(of: self)) must override reverseTransformedValue(_:) to transform back")
    }
}

public protocol ValueTransformerNamed {}

extension ValueTransformer: ValueTransformerNamed {}

extension ValueTransformerNamed {
    /// The transformer registered under a name, or an instance of the class of that name.
    public init?(forName name: NSValueTransformerName) {
        guard let transformer = ValueTransformer.registered(name) as? Self else { return nil }
        self = transformer
    }
}

/// Turns archived data into objects of allowed classes; reversed, objects into archives.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    open override class func allowsReverseTransformation() -> Bool { true }

    /// Nil for data that is no archive of allowed classes: those of the object and, in a collection, of its
    /// elements.
    open override func transformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data else { return nil }
        let allowed = type(of: self).allowedTopLevelClasses
        if ValueArchive.isReadable(data) {
            // Foundation's unarchiver on Linux ends the program at a class that is not allowed.
            guard let contents = try? ArchivedContents(data),
                contents.classNames.allSatisfy({ Self.isAllowed($0, allowed) })
            else { return nil }
            guard contents.hasOthers else { return contents.object }
        }
        guard (try? ForeignPropertyList.check(data)) != nil else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClasses: allowed, from: data)
    }

    private static func isAllowed(_ name: String, _ allowed: [AnyClass]) -> Bool {
        guard let named = NSClassFromString(name) as? NSObject.Type else { return false }
        return allowed.contains { named.isSubclass(of: $0) }
    }

    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if let archive = ContentsArchiver.data(for: value) { return archive }
        let object = Self.archivable(value)
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// Swift's collections as the Foundation classes that can be archived.
    private static func archivable(_ value: Any) -> Any {
        switch value {
        case let array as [Any]: NSArray(array: array.map(archivable))
        case let dictionary as [String: Any]: NSDictionary(dictionary: dictionary.mapValues(archivable))
        case let set as Set<AnyHashable>: NSSet(array: set.map { archivable($0.base) })
        case let text as String: NSString(string: text)
        case let date as Date: NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as Data: NSData(data: data)
        case let url as URL: NSURL(string: url.absoluteString) ?? NSNull()
        case let uuid as UUID: NSUUID(uuidString: uuid.uuidString) ?? NSNull()
        case let number as NSNumber: number
        default: value
        }
    }
}
