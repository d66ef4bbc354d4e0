public import CoreData

/// The objects that a context keeps in its `userInfo` under keys that the app chooses.
private final class SingleObjectCache {
    static let key = "ModernCoreData.SingleObjectCache"

    var objects: [String: NSManagedObject] = [:]
}

extension NSManagedObjectContext {
    /// Keeps an object of this context under a key, so that it need not be searched for; nil removes it.
    ///
    /// Traps for an object of another context.
    public func set(_ object: NSManagedObject?, forSingleObjectCacheKey key: String) {
        if let object, object.managedObjectContext !== self {
            programmerError(
                "\(object.objectID) is an object of another context and cannot be kept under \(key).")
        }
        singleObjects.objects[key] = object
    }

    /// Returns the object kept under a key; nil once it is deleted or the context was reset.
    public func object(forSingleObjectCacheKey key: String) -> NSManagedObject? {
        guard let object = singleObjects.objects[key] else { return nil }
        return object.managedObjectContext === self && !object.isDeleted ? object : nil
    }

    private var singleObjects: SingleObjectCache {
        if let cache = userInfo[SingleObjectCache.key] as? SingleObjectCache { return cache }
        let cache = SingleObjectCache()
        userInfo[SingleObjectCache.key] = cache
        return cache
    }
}
