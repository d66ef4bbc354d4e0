package import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// Access for tools that read rows rather than objects: a list of a million rows needs no million objects.
extension NSPersistentStoreCoordinator {
    /// Returns what does the work of an open store; nil if the store is not of this coordinator.
    package final func backend(of store: NSPersistentStore) -> (any StoreBackend)? {
        handles.first { $0.store === store }?.backend
    }

    /// The model of the coordinator with names turned into indexes, which references refer to.
    package final var compiledModel: CompiledModel { frozen.compiled }

    /// Returns the ID of a row of a store; nil if the store is not of this coordinator.
    package final func objectID(of row: ObjectReference, in store: NSPersistentStore) -> NSManagedObjectID? {
        guard handles.contains(where: { $0.store === store }) else { return nil }
        return NSManagedObjectID(row, runtime: frozen.runtime(row.entity), store: store)
    }
}

extension NSManagedObjectID {
    /// The entity and key of the row, within its store.
    package final var row: ObjectReference { reference }
}
