public import CoreData

extension Collection where Element: NSManagedObject {
    /// Fills the objects that are faults, by one statement per entity instead of one per object.
    ///
    /// Faults whose rows no longer exist stay faults. Objects without a context are skipped. Traps if the
    /// store cannot be read.
    public func fetchFaults() {
        let faults = filter { $0.isFault && !$0.objectID.isTemporaryID }
        for (entity, objects) in Dictionary(grouping: faults, by: \.entity) {
            guard let context = objects[0].managedObjectContext else { continue }
            let request = NSFetchRequest<NSManagedObject>()
            request.entity = entity
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [objects])
            request.returnsObjectsAsFaults = false
            do {
                _ = try context.fetch(request)
            } catch {
                programmerError("Faults of \(entity.name ?? "?") cannot be read: \(error)")
            }
        }
    }
}

extension Sequence where Element: NSManagedObject {
    /// Returns the objects of another context that represent the same rows. Objects that the other context
    /// does not have yet are faults.
    ///
    /// Call it on the other context's queue. The objects must have been saved.
    public func remap(to context: NSManagedObjectContext) -> [Element] {
        map { object in
            guard object.managedObjectContext !== context else { return object }
            guard let other = context.object(with: object.objectID) as? Element else {
                programmerError("\(object.objectID) is no \(Element.self) in the model of another context.")
            }
            return other
        }
    }
}
