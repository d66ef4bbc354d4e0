public import Foundation

/// Key-value access.
///
/// The members belong to a protocol because those of an extension of `NSObject` could not be overridden, and
/// managed objects override them.
///
/// A plain object answers for its stored properties, those of Foundation's for what they are mostly asked,
/// dictionaries and user defaults for their entries, a collection with the values of its elements; of these
/// mutable dictionaries and user defaults can be written.
public protocol KeyValueCoding {}

extension NSObject: KeyValueCoding {}

extension KeyValueCoding {
    public func value(forKey key: String) -> Any? {
        if let object = self as? NSManagedObject { return object.value(forKey: key) }
        return KeyPathAccess.value(of: self, [key])
    }

    public func value(forKeyPath keyPath: String) -> Any? {
        if let object = self as? NSManagedObject { return object.value(forKeyPath: keyPath) }
        return KeyPathAccess.value(of: self, keyPath)
    }

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

    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        if let object = self as? NSManagedObject { return object.setValue(value, forKeyPath: keyPath) }
        guard let dot = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let owner = self.value(forKeyPath: String(keyPath[..<dot])) as? NSObject
        owner?.setValue(value, forKey: String(keyPath[keyPath.index(after: dot)...]))
    }

    /// The values for several keys, `NSNull` where there is none.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }

    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
}
