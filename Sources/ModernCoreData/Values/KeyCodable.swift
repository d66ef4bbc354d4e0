public import CoreData

/// A class whose properties have keys of a type, so that the compiler checks them.
///
///     extension Book: KeyCodable {
///         enum Key: String { case title, author }
///     }
///
/// The methods trap, as key-value access does, if the model has no property of a key.
public protocol KeyCodable: NSManagedObject {
    /// The type of the keys, whose raw values are the names of properties.
    associatedtype Key: RawRepresentable<String>
}

extension KeyCodable {
    // MARK: Requests

    /// Returns the order by a property.
    public static func sortDescriptor(_ key: Key, ascending: Bool = true) -> NSSortDescriptor {
        NSSortDescriptor(key: key.rawValue, ascending: ascending)
    }

    /// Returns the condition that a property has a value, or with nil none.
    public static func predicate(_ key: Key, is value: Any?) -> NSPredicate {
        NSPredicate(format: "%K == %@", argumentArray: [key.rawValue, value ?? NSNull()])
    }

    // MARK: Values

    /// Returns the value of a property.
    public func value(forKey key: Key) -> Any? { value(forKey: key.rawValue) }

    /// Sets the value of a property.
    public func setValue(_ value: Any?, forKey key: Key) { setValue(value, forKey: key.rawValue) }

    /// Returns the value of a property without access notifications.
    public func primitiveValue(forKey key: Key) -> Any? { primitiveValue(forKey: key.rawValue) }

    /// Sets the value of a property without change notifications.
    public func setPrimitiveValue(_ value: Any?, forKey key: Key) {
        setPrimitiveValue(value, forKey: key.rawValue)
    }

    // MARK: Accessors

    /// Tells the object that a property is about to be read, and fills a fault.
    public func willAccessValue(forKey key: Key) { willAccessValue(forKey: key.rawValue) }

    /// Tells the object that a property has been read.
    public func didAccessValue(forKey key: Key) { didAccessValue(forKey: key.rawValue) }

    /// Tells the object that a property is about to change.
    public func willChangeValue(forKey key: Key) { willChangeValue(forKey: key.rawValue) }

    /// Tells the object that a property has changed.
    public func didChangeValue(forKey key: Key) { didChangeValue(forKey: key.rawValue) }

    // MARK: Changes

    /// Returns the present value, if the store has another one: `NSNull` where it was set to nil, otherwise
    /// nil.
    public func changedValue(forKey key: Key) -> Any? { changedValue(forKey: key.rawValue) }

    /// Returns the value as it was last fetched or saved.
    public func committedValue(forKey key: Key) -> Any? { committedValue(forKey: key.rawValue) }
}
