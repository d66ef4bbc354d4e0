import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The backend of an atomic store of an app's own class: its rows are in memory, and each save updates the
/// store's nodes.
final class AtomicBackend: BindableBackend {
    private let store: NSAtomicStore
    private let memory: MemoryBackend
    /// The context whose objects are saved; nil if the backend is not bound to a context.
    private let context: Backlink<NSManagedObjectContext>?

    init(_ store: NSAtomicStore, _ memory: MemoryBackend, context: NSManagedObjectContext? = nil) {
        self.store = store
        self.memory = memory
        self.context = context?.link
    }

    func bound(to context: NSManagedObjectContext) -> any StoreBackend {
        AtomicBackend(store, memory, context: context)
    }

    // MARK: Saving

    func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        guard let context = context?.target else {
            throw StoreError(.unsupported, "\(type(of: store)) can only save the objects of a context")
        }
        let saved = SavedObjects(changes, of: store, in: context)
        return try memory.commit(changes.keepingRows()) { tables throws(StoreError) in
            do {
                try save(saved, tables)
            } catch {
                throw StoreError(.reported(error), "\(error)")
            }
        }
    }

    /// Gives the nodes the values of the objects and has the store write them; if that fails, restores the
    /// nodes.
    private func save(_ saved: SavedObjects, _ tables: MemoryTables) throws {
        let writer = CacheNodeWriter(store: store)
        let derived = derivingNodes()
        let touched = derived.union(saved.updated.compactMap { store.cacheNode(for: $0.objectID) })
        let before = touched.map { ($0, writer.values(of: $0)) }
        let added = Set(saved.inserted.map(store.newCacheNode))
        store.addCacheNodes(added)
        // Only now do new objects that refer to one another all have nodes.
        for object in saved.inserted + saved.updated {
            if let node = store.cacheNode(for: object.objectID) { store.updateCacheNode(node, from: object) }
        }
        let removed = Set(saved.deleted.compactMap { store.cacheNode(for: $0.objectID) })
        if !removed.isEmpty { store.willRemoveCacheNodes(removed) }
        store.remove(removed)
        for node in derived.union(added).subtracting(removed) { writer.fillDerived(node, from: tables) }
        do {
            try store.save()
        } catch {
            store.remove(added)
            store.addCacheNodes(removed)
            for (node, values) in before { writer.set(values, of: node) }
            throw error
        }
    }

    /// Returns the nodes of entities with derived attributes, whose values may depend on any saved object.
    private func derivingNodes() -> Set<NSAtomicStoreCacheNode> {
        store.cacheNodes().filter { node in
            node.objectID.runtime.columns.contains { $0.attribute?.derivation != nil }
        }
    }

    // MARK: Reading

    func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult { try memory.fetch(query) }
    func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit { try memory.split(query) }

    func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot? {
        try memory.snapshot(for: row)
    }

    func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot] {
        try memory.snapshots(for: rows)
    }

    func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference] {
        try memory.related(slot, of: row)
    }

    func related(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> [Int64: [ObjectReference]] {
        try memory.related(slot, ofEach: rows)
    }

    /// Allocates keys in memory; the store names objects itself (`ObjectNamingStore`).
    func allocateKeys(
        _ count: [EntityIndex: Int]
    ) throws(StoreError) -> [EntityIndex: [ObjectReference]] {
        try memory.allocateKeys(count)
    }

    func expireReads() {}
    func close() {}
}

extension AtomicBackend: GenerationBackend {
    func requireGenerations() throws(StoreError) {}
    func pinned() throws(StoreError) -> any StoreBackend { try memory.pinned() }
}
