public import Foundation

/// Key-value access for objects that are no managed objects: dictionaries and collections.
public protocol KeyValueCoding {}

extension NSObject: KeyValueCoding {}

extension KeyValueCoding {
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    public func value(forKeyPath keyPath: String) -> Any? {
        if let object = self as? NSManagedObject { return object.keyPathValue(keyPath) }
        return KeyPathAccess.value(of: self, keyPath)
    }
}

extension Array {
    /// The elements that satisfy a predicate.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension Set {
    public func filtered(using predicate: NSPredicate) -> Set<Element> {
        filter { predicate.evaluate(with: $0) }
    }
}

/// Array literals for sets of Foundation, as on Apple's systems.
public protocol SetArrayLiteral {}

extension NSSet: SetArrayLiteral {}

extension SetArrayLiteral {
    public init(arrayLiteral elements: Any...) {
        switch Self.self {
        case is NSMutableSet.Type: self = NSMutableSet(array: elements) as! Self
        default: self = NSSet(array: elements) as! Self
        }
    }
}

extension NSSet: @retroactive ExpressibleByArrayLiteral {}
