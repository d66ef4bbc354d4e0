import CoreData

extension NSManagedObjectContext {
    /// Returns the objects for IDs of one inheritance tree, in the order of the IDs.
    ///
    /// They are read by one statement, and one more for each prefetched relationship. Objects whose rows no
    /// longer exist are left out.
    func objects(
        _ ids: [NSManagedObjectID], prefetching keys: [String] = []
    ) throws -> [NSManagedObject] {
        guard let first = ids.first else { return [] }
        let request = NSFetchRequest<NSManagedObject>(
            entityName: keys.isEmpty ? first.entity.rootName : first.entity.name ?? "")
        request.predicate = NSPredicate(format: "self IN %@", ids)
        request.returnsObjectsAsFaults = false
        request.relationshipKeyPathsForPrefetching = keys
        let found = try fetch(request)
        let byID = Dictionary(found.map { ($0.objectID, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }
}

extension NSEntityDescription {
    /// The name of the top of the entity's inheritance tree.
    fileprivate var rootName: String {
        var entity = self
        while let parent = entity.superentity { entity = parent }
        return entity.name ?? ""
    }
}
