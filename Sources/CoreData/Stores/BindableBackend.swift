import CoreDataStore
import CoreDataValues

/// A backend that works with the objects of a context, as stores of an app's own class do.
protocol BindableBackend: StoreBackend {
    /// Returns the same store as one context uses it, on the context's queue.
    func bound(to context: NSManagedObjectContext) -> any StoreBackend
}

/// A store that chooses the keys of its rows.
protocol ObjectNamingStore: NSPersistentStore {
    /// Returns references for new objects, in their order.
    func permanentReferences(for objects: [NSManagedObject]) throws -> [ObjectReference]
}

extension NSManagedObjectContext {
    /// Returns a store of the coordinator as this context uses it.
    final func bound(_ handle: StoreHandle) -> StoreHandle {
        guard handle.isBindable, let backend = handle.backend as? any BindableBackend else { return handle }
        if let known = boundHandles[handle.index] { return known }
        let bound = handle.replacing(backend.bound(to: self), cache: handle.cache)
        boundHandles[handle.index] = bound
        return bound
    }
}
