public import CoreData

/// A class with a type for the keys of its properties, so that the compiler checks them.
///
///     extension Book: KeyCodable {
///         enum Key: String { case title, author }
///     }
///
/// The methods trap, as key-value access does, if the model has no property for a key.
public protocol KeyCodable: NSManagedObject {
    /// The type of the keys. Their raw values are the names of properties.
    associatedtype Key: RawRepresentable<String>
}

extension KeyCodable {
    // MARK: Requests

    /// Returns a sort descriptor for a property.
    public static func sortDescriptor(_ key: Key, ascending: Bool = true) -> NSSortDescriptor {
        NSSortDescriptor(key: key.rawValue, ascending: ascending)
    }

    /// Returns the condition that a property has the value, or that it has none if the value is nil.
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

    /// Returns the present value of a property if it differs from the one last fetched or saved, `NSNull` if
    /// it was set to nil; returns nil if it is unchanged.
    public func changedValue(forKey key: Key) -> Any? { changedValue(forKey: key.rawValue) }

    /// Returns the value that was last fetched or saved.
    public func committedValue(forKey key: Key) -> Any? { committedValue(forKey: key.rawValue) }
}
