import CoreDataModelFormat
public import Foundation
import Synchronization

/// The name under which a value transformer is registered.
public struct NSValueTransformerName: Hashable, RawRepresentable, Sendable, ExpressibleByStringLiteral {
    /// The name as a string.
    public let rawValue: String
    /// Makes a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Makes a name.
    public init(stringLiteral value: String) { rawValue = value }

    /// The transformer that archives objects of Foundation's value classes:
    /// `NSSecureUnarchiveFromDataTransformer`.
    public static let secureUnarchiveFromDataTransformerName = NSValueTransformerName(
        "NSSecureUnarchiveFromData")
    /// The former name of an insecure transformer.
    ///
    /// Unlike Apple's: it stands for the secure one, since data in a file must not choose the classes that it
    /// makes objects of.
    public static let unarchiveFromDataTransformerName = NSValueTransformerName("NSUnarchiveFromData")
    /// The former name of an insecure transformer.
    ///
    /// Unlike Apple's: it stands for the secure one, as `unarchiveFromDataTransformerName` does.
    public static let keyedUnarchiveFromDataTransformerName = NSValueTransformerName(
        "NSKeyedUnarchiveFromData")
}

/// A conversion of values into others and, if the class allows it, back.
///
/// Subclasses are registered by name, and transformable attributes name one: `transformedValue(_:)` turns the
/// attribute's value into the data that stores keep, and `reverseTransformedValue(_:)` turns it back. Only
/// `NSSecureUnarchiveFromDataTransformer` and its subclasses are used the other way round, as their name
/// says.
///
/// The registry may be used from any thread; a transformer is called on the queue of whichever context needs
/// a value.
open class ValueTransformer: NSObject {
    /// Makes a transformer.
    public override init() { super.init() }

    private struct Registry: @unchecked Sendable {
        /// The transformers by name.
        ///
        /// The names of Apple's insecure transformers stand for the secure one.
        var transformers: [NSValueTransformerName: ValueTransformer] = [
            .secureUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
            .keyedUnarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
            .unarchiveFromDataTransformerName: NSSecureUnarchiveFromDataTransformer(),
        ]
    }

    private static let registry = Mutex(Registry())

    /// Registers a transformer under a name; nil removes it.
    open class func setValueTransformer(
        _ transformer: ValueTransformer?, forName name: NSValueTransformerName
    ) {
        nonisolated(unsafe) let transformer = transformer
        registry.withLock { $0.transformers[name] = transformer }
    }

    /// Returns the names of all registered transformers, in no order.
    open class func valueTransformerNames() -> [NSValueTransformerName] {
        registry.withLock { Array($0.transformers.keys) }
    }

    /// Returns the transformer with a name, or else registers and returns an instance of the class with that
    /// name.
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

    /// Returns the class of transformed values; `NSObject` unless overridden.
    open class func transformedValueClass() -> AnyClass { NSObject.self }
    /// Returns whether values can be transformed back; true unless overridden.
    open class func allowsReverseTransformation() -> Bool { true }
    /// Returns the transformed value; the value itself unless overridden.
    open func transformedValue(_ value: Any?) -> Any? { value }
    /// Returns the original value of a transformed one.
    ///
    /// Traps in a subclass that does not override it.
    open func reverseTransformedValue(_ value: Any?) -> Any? {
        programmerError("\(type(of: self)) must override reverseTransformedValue(_:) to transform back")
    }
}

/// A protocol to which only `ValueTransformer` conforms, so that an initializer can return a registered
/// object.
public protocol ValueTransformerNamed {}

extension ValueTransformer: ValueTransformerNamed {}

extension ValueTransformerNamed {
    /// Finds the transformer registered under a name, or makes one of the class of that name; nil if there is
    /// neither.
    public init?(forName name: NSValueTransformerName) {
        guard let transformer = ValueTransformer.registered(name) as? Self else { return nil }
        self = transformer
    }
}

/// A transformer of archived data into objects of allowed classes and, in reverse, of objects into archives.
open class NSSecureUnarchiveFromDataTransformer: ValueTransformer {
    /// The classes that an archive may hold, at its top and in collections.
    ///
    /// A subclass adds its own.
    open class var allowedTopLevelClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self,
            NSURL.self, NSUUID.self, NSNull.self,
        ]
    }

    /// Returns true.
    open override class func allowsReverseTransformation() -> Bool { true }

    /// Returns the archived object; nil for data that is no archive of allowed classes: those of the object
    /// and, in a collection, of its elements.
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

    /// Returns the archive of an object; nil for one that cannot be archived securely.
    open override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let value else { return nil }
        if let archive = ContentsArchiver.data(for: value) { return archive }
        let object = Self.archivable(value)
        return try? NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// Returns Swift's collections as the Foundation classes that can be archived.
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
