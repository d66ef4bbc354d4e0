public import CoreData

extension Managed {
    /// Returns the one object of its kind, such as the user's account: the one the context keeps under the
    /// key, else the first of a request that a block configures, which is kept from then on.
    ///
    /// The request begins with the entity and the default order. It takes one statement until there is an
    /// object, none afterwards. An object that was deleted, or that a reset made the context forget, is
    /// fetched again. Traps if the store cannot be read.
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
