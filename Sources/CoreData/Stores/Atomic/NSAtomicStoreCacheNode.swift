public import Foundation

/// A row of an atomic store: values by name, relationships as nodes and sets of nodes.
open class NSAtomicStoreCacheNode: NSObject {
    private let id: NSManagedObjectID

    /// Makes a node without values for an object ID of the store.
    public init(objectID moid: NSManagedObjectID) {
        id = moid
        super.init()
    }

    /// The ID of the object whose row the node is.
    open var objectID: NSManagedObjectID { id }

    /// The values by name; nil until one is set.
    ///
    /// Subclasses that keep values elsewhere override `value(forKey:)` and `setValue(_:forKey:)`.
    open var propertyCache: NSMutableDictionary?

    /// Returns the value of a property; nil if it has none.
    open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key as NSString) }

    /// Sets the value of a property; nil removes it.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let value else {
            propertyCache?.removeObject(forKey: key as NSString)
            return
        }
        let cache = propertyCache ?? NSMutableDictionary()
        cache.setObject(value, forKey: key as NSString)
        propertyCache = cache
    }
}
