public import CoreData

extension Managed {
    /// Returns an object of which there is only one, such as the user's account: the object that the context
    /// keeps under the key, or else the first result of a request that a block configures. The context keeps
    /// that result under the key.
    ///
    /// The request passed to the block has the entity and the default order. Each call runs one statement
    /// until an object is found, and none afterwards. If the object was deleted, or the context was reset, it
    /// is fetched again. Traps if the store cannot be read.
    public static func fetchSingleObject(
        in context: NSManagedObjectContext, cacheKey: String, configure: (NSFetchRequest<Self>) -> Void
    ) -> Self? {
        if let cached = context.object(forSingleObjectCacheKey: cacheKey) as? Self { return cached }
        let object = fetch(in: context) { request in
            request.sortDescriptors = defaultSortDescriptors
            configure(request)
            request.fetchLimit = 1
        }.first
        context.set(object, forSingleObjectCacheKey: cacheKey)
        return object
    }
}
