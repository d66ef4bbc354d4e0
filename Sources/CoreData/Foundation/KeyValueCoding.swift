public import Foundation

/// A protocol with the members of key-value access, to which only `NSObject` conforms.
///
/// Members of an extension of `NSObject` could not be overridden, and managed objects override these.
///
/// The keys of a plain object are its stored properties, those of Foundation's objects their most used
/// properties, those of dictionaries and user defaults their entries; a collection returns the values of its
/// elements. Of these, only mutable dictionaries, user defaults and the elements of collections can be
/// written.
///
/// Unlike Apple's: computed properties and other members are reached only if they are marked `@objc` in a
/// module with the plugin, since nothing is looked up by name without the Objective-C runtime.
public protocol KeyValueCoding {}

extension NSObject: KeyValueCoding {}

extension KeyValueCoding {
    /// Returns the value for a key.
    ///
    /// Traps on a key that nothing answers to.
    ///
    /// Unlike Apple's: `NSDictionary.value(forKey:)` is Foundation's own, which traps for keys that begin
    /// with `@`, unless the variable's type is `NSObject`.
    public func value(forKey key: String) -> Any? {
        if let object = self as? NSManagedObject { return object.value(forKey: key) }
        return KeyPathAccess.value(of: self, [key])
    }

    /// Returns the value at the end of a key path, which may have collection operators such as `@sum`; nil
    /// where a value on the way is nil.
    ///
    /// Traps on a key that nothing answers to.
    ///
    /// Unlike Apple's: an operator behind two to-many relationships sees the objects of all of them together.
    public func value(forKeyPath keyPath: String) -> Any? {
        if let object = self as? NSManagedObject { return object.value(forKeyPath: keyPath) }
        return KeyPathAccess.value(of: self, keyPath)
    }

    /// Sets the value for a key.
    ///
    /// A collection sets it on its elements. Traps on objects that cannot be written by key.
    public func setValue(_ value: Any?, forKey key: String) {
        switch self {
        case let object as NSManagedObject: object.setValue(value, forKey: key)
        case let dictionary as NSMutableDictionary:
            if let value {
                dictionary.setObject(value, forKey: NSString(string: key))
            } else {
                dictionary.removeObject(forKey: NSString(string: key))
            }
        case let defaults as UserDefaults: defaults.set(value, forKey: key)
        case let objects as NSArray:
            for object in objects { (object as? NSObject)?.setValue(value, forKey: key) }
        case let objects as NSSet:
            for object in objects { (object as? NSObject)?.setValue(value, forKey: key) }
        case let objects as NSOrderedSet:
            for object in objects { (object as? NSObject)?.setValue(value, forKey: key) }
        default:
            programmerError("\(type(of: self)).\(key) cannot be set by key on Linux: assign to the property")
        }
    }

    /// Sets the value at the end of a key path; nothing happens where a value on the way is nil.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        if let object = self as? NSManagedObject { return object.setValue(value, forKeyPath: keyPath) }
        guard let dot = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let owner = self.value(forKeyPath: String(keyPath[..<dot])) as? NSObject
        owner?.setValue(value, forKey: String(keyPath[keyPath.index(after: dot)...]))
    }

    /// Returns the values for several keys, `NSNull` where there is none.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }

    /// Sets the values for several keys; `NSNull` stands for nil.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
}
