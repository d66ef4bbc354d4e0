public import CoreData

// Unlike Apple's: additions. A program that imports CoreData as well reaches what is below the models.

extension ModelContext {
    /// The Core Data context whose objects stand behind the models.
    ///
    /// What changes there changes in the models. It has the queue of this context.
    public var managedObjectContext: NSManagedObjectContext { context }
}

extension NSManagedObjectContext {
    /// The context of models that uses this one; nil for a context of an app's own.
    public var modelContext: ModelContext? { owner }
}

extension ModelContainer {
    /// The coordinator of the container's stores.
    ///
    /// All entities of its model have one class, whose objects stand behind models or are used by key.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }
}

extension PersistentModel {
    /// The object that stands behind the model; nil while the model is in no context.
    public var managedObject: NSManagedObject? { modelContext == nil ? nil : backing }
}

extension NSManagedObject {
    /// The model that the object stands behind; nil for an object that is in no `ModelContext`.
    public var persistentModel: (any PersistentModel)? {
        guard let context = managedObjectContext?.owner else { return nil }
        return (self as? ModelObject)?.anyModel(in: context.container)
    }
}

extension PersistentIdentifier {
    /// The ID as Core Data has it.
    public var managedObjectID: NSManagedObjectID { objectID }

    /// Makes the identifier of a managed object.
    public init(managedObjectID: NSManagedObjectID) { self.init(managedObjectID) }
}
