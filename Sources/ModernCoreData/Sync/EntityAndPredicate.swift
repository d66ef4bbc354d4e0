public import CoreData

/// A description of the objects of an entity that match a predicate, both in a store and in memory.
public struct EntityAndPredicate<Object: NSManagedObject> {
    /// The entity. Objects of its subentities are included.
    public let entity: NSEntityDescription
    /// The predicate.
    public let predicate: NSPredicate

    /// Makes a description of the objects of an entity that match a predicate.
    public init(entity: NSEntityDescription, predicate: NSPredicate) {
        self.entity = entity
        self.predicate = predicate
    }

    /// A request for the objects with their values; a new request each time.
    public var fetchRequest: NSFetchRequest<Object> {
        let request = NSFetchRequest<Object>()
        request.entity = entity
        request.predicate = predicate
        request.returnsObjectsAsFaults = false
        return request
    }

    /// Returns whether an object fits the description. An object that is deleted or has no context does not.
    public func matches(_ object: NSManagedObject) -> Bool {
        // A fault whose row no longer exists becomes a deleted object when it is read.
        isOfEntity(object) && predicate.evaluate(with: object) && !object.isDeleted
    }

    fileprivate func isOfEntity(_ object: NSManagedObject) -> Bool {
        object.managedObjectContext != nil && !object.isDeleted && object.entity.isKindOf(entity: entity)
    }
}

extension Sequence where Element: NSManagedObject {
    /// Returns the objects that are of the entity and match the predicate. Faults are filled first, by one
    /// statement.
    public func filter(_ entityAndPredicate: EntityAndPredicate<Element>) -> [Element] {
        let candidates = filter(entityAndPredicate.isOfEntity)
        candidates.fetchFaults()
        return candidates.filter(entityAndPredicate.matches)
    }
}
