public import CoreData

/// Some objects of an entity: those that match a predicate, in a store as in memory.
public struct EntityAndPredicate<Object: NSManagedObject> {
    public let entity: NSEntityDescription
    public let predicate: NSPredicate

    public init(entity: NSEntityDescription, predicate: NSPredicate) {
        self.entity = entity
        self.predicate = predicate
    }

    /// Fetches the objects with their values.
    public var fetchRequest: NSFetchRequest<Object> {
        let request = NSFetchRequest<Object>()
        request.entity = entity
        request.predicate = predicate
        request.returnsObjectsAsFaults = false
        return request
    }

    /// Whether an object is one of them; one that is deleted or has no context is not.
    public func matches(_ object: NSManagedObject) -> Bool {
        // A fault whose row is gone becomes a deleted object when it is read.
        isOfEntity(object) && predicate.evaluate(with: object) && !object.isDeleted
    }

    fileprivate func isOfEntity(_ object: NSManagedObject) -> Bool {
        object.managedObjectContext != nil && !object.isDeleted && object.entity.isKindOf(entity: entity)
    }
}

extension Sequence where Element: NSManagedObject {
    /// Those of the objects that are of the entity and match the predicate. Faults are read first, in one statement.
    public func filter(_ entityAndPredicate: EntityAndPredicate<Element>) -> [Element] {
        let candidates = filter(entityAndPredicate.isOfEntity)
        candidates.fetchFaults()
        return candidates.filter(entityAndPredicate.matches)
    }
}
