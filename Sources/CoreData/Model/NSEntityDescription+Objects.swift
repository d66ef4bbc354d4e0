extension NSEntityDescription {
    /// Returns the entity with a name in the model of a context; nil if the model has none.
    ///
    /// Traps for a context without a coordinator.
    public class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        guard let coordinator = context.persistentStoreCoordinator else {
            programmerError(
                "+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for entity name "
                    + "'\(entityName)'. Give the context a coordinator or a parent.")
        }
        return coordinator.managedObjectModel.entitiesByName[entityName]
    }

    /// Inserts a new object of an entity, of the class that the model names.
    ///
    /// Traps if the model has no entity of that name, or for a context without a coordinator.
    @discardableResult
    public class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let entity = entity(forEntityName: entityName, in: context) else {
            programmerError(
                "+entityForName: could not locate an entity named '\(entityName)' in this model.")
        }
        return EntityClasses.objectClass(for: entity).init(_made: entity, in: context)
    }
}
