import CoreDataStore
import CoreDataValues
import Synchronization

/// An open store of a coordinator: the public object, the backend that does the work, and the cached rows.
final class StoreHandle: Sendable {
    let index: Int16
    let store: NSPersistentStore
    let backend: any StoreBackend
    let cache: RowCache
    /// The rows shared by all contexts that see the latest commits; a query generation has another cache.
    let sharedCache: RowCache
    let entities: Set<EntityIndex>?
    /// Whether every context has a backend of its own for the store.
    let isBindable: Bool
    /// Whether the store chooses the keys of its rows before it saves them.
    let namesObjects: Bool
    let mark: StoreMark
    /// Whether commits to the store are reported.
    let isWatched = Atomic(false)

    /// - Parameter entities: The entities of the store's configuration; nil for all.
    init(
        index: Int16, store: NSPersistentStore, backend: any StoreBackend, cache: RowCache,
        sharedCache: RowCache? = nil, entities: Set<EntityIndex>?, mark: StoreMark? = nil
    ) {
        self.index = index
        self.store = store
        self.backend = backend
        self.cache = cache
        self.sharedCache = sharedCache ?? cache
        self.entities = entities
        isBindable = backend is any BindableBackend
        let namesRowsBySaving = (store as? NSIncrementalStore)?.namesRowsBySaving ?? false
        namesObjects = store is any ObjectNamingStore && !namesRowsBySaving
        self.mark = mark ?? StoreMark(store)
    }

    /// Returns the handle of the same store with another backend: of a query generation, or for one context.
    func replacing(_ backend: any StoreBackend, cache: RowCache) -> StoreHandle {
        StoreHandle(
            index: index, store: store, backend: backend, cache: cache, sharedCache: self.cache,
            entities: entities, mark: mark)
    }

    /// Drops a cached row, so that the next read goes to the store and sees the latest commit.
    func forget(_ reference: ObjectReference) {
        cache.remove(reference)
        backend.expireReads()
    }

    func holds(_ entity: EntityIndex) -> Bool { entities?.contains(entity) ?? true }

    /// Returns whether the store may hold rows of one of the entities: a configuration may have only some
    /// entities of a hierarchy.
    func holdsAny(of family: Range<EntityIndex>) -> Bool {
        entities.map { $0.contains(where: family.contains) } ?? true
    }
}
