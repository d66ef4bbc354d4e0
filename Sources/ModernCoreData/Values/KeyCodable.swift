public import CoreData

/// A class whose properties have keys of a type, so that the compiler reads them.
///
///     extension Book: KeyCodable {
///         enum Key: String { case title, author }
///     }
///
/// Traps, as key-value access does, if the model has no property of a key.
public protocol KeyCodable: NSManagedObject {
    associatedtype Key: RawRepresentable<String>
}

extension KeyCodable {
    // MARK: Requests

    /// An order by a property.
    public static func sortDescriptor(_ key: Key, ascending: Bool = true) -> NSSortDescriptor {
        NSSortDescriptor(key: key.rawValue, ascending: ascending)
    }

    /// Which objects have a value, or with nil none, in a property.
    public static func predicate(_ key: Key, is value: Any?) -> NSPredicate {
        NSPredicate(format: "%K == %@", argumentArray: [key.rawValue, value ?? NSNull()])
    }

    // MARK: Values

    public func value(forKey key: Key) -> Any? { value(forKey: key.rawValue) }

    public func setValue(_ value: Any?, forKey key: Key) { setValue(value, forKey: key.rawValue) }

    /// The value without anybody being told that it is read.
    public func primitiveValue(forKey key: Key) -> Any? { primitiveValue(forKey: key.rawValue) }

    /// Sets the value without anybody being told.
    public func setPrimitiveValue(_ value: Any?, forKey key: Key) {
        setPrimitiveValue(value, forKey: key.rawValue)
    }

    // MARK: Accessors

    public func willAccessValue(forKey key: Key) { willAccessValue(forKey: key.rawValue) }

    public func didAccessValue(forKey key: Key) { didAccessValue(forKey: key.rawValue) }

    public func willChangeValue(forKey key: Key) { willChangeValue(forKey: key.rawValue) }

    public func didChangeValue(forKey key: Key) { didChangeValue(forKey: key.rawValue) }

    // MARK: Changes

    /// The present value, if the store has another one; `NSNull` where it was set to nil.
    public func changedValue(forKey key: Key) -> Any? { changedValue(forKey: key.rawValue) }

    /// The value as it was last fetched or saved.
    public func committedValue(forKey key: Key) -> Any? { committedValue(forKey: key.rawValue) }
}
