import CoreData
import Foundation

/// A container with the model of that name, found as programs find it, and an empty store in memory.
func container(_ name: String) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: name)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
}

extension NSManagedObjectContext {
    /// The object as it comes back from the store.
    func saveAndRefault(_ object: NSManagedObject) throws {
        try save()
        refresh(object, mergeChanges: false)
    }
}
