public import Foundation

/// A row of an atomic store, as the store has it: values by name, relationships as nodes and sets of nodes.
open class NSAtomicStoreCacheNode: NSObject {
    private let id: NSManagedObjectID

    public init(objectID moid: NSManagedObjectID) {
        id = moid
        super.init()
    }

    open var objectID: NSManagedObjectID { id }

    /// The values by name; nil until one is set. Subclasses that keep values elsewhere override `value(forKey:)` and
    /// `setValue(_:forKey:)`.
    open var propertyCache: NSMutableDictionary?

    open func value(forKey key: String) -> Any? { propertyCache?.object(forKey: key as NSString) }

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
