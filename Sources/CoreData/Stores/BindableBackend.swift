import CoreDataStore
import CoreDataValues

/// A backend that works with the objects of a context, as stores of an app's own class do.
protocol BindableBackend: StoreBackend {
    /// Returns a backend of the same store for one context, to be used on the context's queue.
    func bound(to context: NSManagedObjectContext) -> any StoreBackend
}

/// A store that chooses the keys of its rows.
protocol ObjectNamingStore: NSPersistentStore {
    /// Returns references for new objects, in their order.
    func permanentReferences(for objects: [NSManagedObject]) throws -> [ObjectReference]
}

extension NSManagedObjectContext {
    /// Returns the handle with which this context uses a store of the coordinator.
    final func bound(_ handle: StoreHandle) -> StoreHandle {
        guard handle.isBindable, let backend = handle.backend as? any BindableBackend else { return handle }
        if let known = boundHandles[handle.index] { return known }
        let bound = handle.replacing(backend.bound(to: self), cache: handle.cache)
        boundHandles[handle.index] = bound
        return bound
    }
}
