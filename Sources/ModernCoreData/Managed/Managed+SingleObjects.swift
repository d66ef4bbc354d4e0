public import CoreData

extension Managed {
    /// The one object of its kind, such as the user's account: the one the context keeps under the key, else the
    /// first of a request that the block configures, which is kept from then on.
    ///
    /// The request begins with the entity and the default order. Takes one statement until there is an object, none
    /// afterwards. An object that was deleted, or that a reset made the context forget, is looked for again.
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
