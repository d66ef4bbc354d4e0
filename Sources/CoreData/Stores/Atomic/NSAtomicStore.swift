import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A store in an app's own format, which is read and written as a whole.
///
/// Subclass it, override `load()` and `save()`, and register the class with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. `load()` makes a node for every object
/// and passes the nodes to `addCacheNodes(_:)`; `save()` writes `cacheNodes()`. The framework itself does
/// fetching, faulting and the maintenance of relationships.
///
/// Unlike Apple's: nodes are read when the store has loaded, all at once, and rows live in memory from then
/// on. Atomic stores have query generations, but no uniqueness constraints, batches or history.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    private struct Nodes {
        var all: Set<NSAtomicStoreCacheNode> = []
        var byID: [NSManagedObjectID: NSAtomicStoreCacheNode] = [:]
    }

    private let nodes = Guarded(Nodes())
    private let keys = ReferenceKeys()
    override var referenceKeys: ReferenceKeys? { keys }
    private let lastNumber = Guarded(Int64(0))

    // MARK: What subclasses override

    /// Reads the file and passes a node for each of its objects to `addCacheNodes(_:)`; a subclass must
    /// override it.
    ///
    /// A file that does not exist yet is a store without objects.
    ///
    /// - Throws: The error with which opening the store fails; unless overridden
    ///   `NSPersistentStoreOperationError` (134070) in `NSCocoaErrorDomain`.
    open func load() throws { throw missing("load()") }

    /// Writes every node, and the metadata; a subclass must override it.
    ///
    /// - Throws: The error with which the save of the context fails, which keeps its changes; unless
    ///   overridden `NSPersistentStoreOperationError` (134070) in `NSCocoaErrorDomain`.
    open func save() throws { throw missing("save()") }

    /// Returns a value that identifies a new object permanently: a number, a string or anything else that can
    /// be hashed.
    ///
    /// Unlike Apple's: unless overridden, it returns the next number that no node has.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        NSNumber(
            value: lastNumber.withLock { number in
                number += 1
                return number
            })
    }

    /// Returns the node of an object that is about to be saved for the first time.
    ///
    /// Unlike Apple's: unless overridden, it returns a node with the object's values.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Gives a node the values of its object.
    ///
    /// Unlike Apple's: called for new objects, too, once all of them have nodes; unless overridden, it copies
    /// all values.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        CacheNodeWriter(store: self).fill(node, from: managedObject)
    }

    /// Called before nodes leave the store; the default implementation does nothing.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    private func missing(_ method: String) -> NSError {
        CoreDataError.error(
            NSPersistentStoreOperationError, reason: "\(Swift.type(of: self)) must override \(method).")
    }

    // MARK: Nodes

    /// Returns all nodes of the store.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.withLock { $0.all } }

    /// Adds nodes to the store, where they replace those with the same ID.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        nodes.withLock { nodes in
            for node in cacheNodes {
                nodes.all.insert(node)
                nodes.byID[node.objectID] = node
            }
        }
        for node in cacheNodes { note(node.objectID) }
    }

    final func remove(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        nodes.withLock { nodes in
            for node in cacheNodes {
                nodes.all.remove(node)
                nodes.byID[node.objectID] = nil
            }
        }
    }

    /// Returns the node of an object ID; nil if there is none.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        nodes.withLock { $0.byID[objectID] }
    }

    // MARK: Names

    /// Returns the ID of the object that has a reference object.
    ///
    /// Equal reference objects of one entity hierarchy make equal IDs. Traps if the value cannot be hashed,
    /// or the coordinator has no such entity.
    open func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(entity, data, keys)
    }

    /// Returns the reference object of an object ID.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        keys.reference(of: objectID)
    }

    /// Notes a number that a node has, so that no new object gets it.
    private func note(_ id: NSManagedObjectID) {
        guard let number = referenceObject(for: id) as? NSNumber else { return }
        lastNumber.withLock { $0 = max($0, number.int64Value) }
    }

    /// Has the next save write to another place.
    override func move(to url: URL) -> Bool {
        self.url = url
        return true
    }

    // MARK: Opening

    override func open(_ model: FrozenModel, _ entities: Set<EntityIndex>?) throws -> any StoreBackend {
        try loadMetadata()
        try takeMetadata(of: model, entities)
        try load()
        do {
            try model.compiled.requireDerivations(of: entities)
            let tables = try CacheNodeReader(model).tables(of: cacheNodes())
            let memory = MemoryBackend(tables, identity: ObjectIdentifier(self), isReadOnly: isReadOnly)
            return AtomicBackend(self, memory)
        } catch {
            throw error.nsError()
        }
    }
}

extension NSAtomicStore: ObjectNamingStore {
    final func permanentReferences(for objects: [NSManagedObject]) throws -> [ObjectReference] {
        objects.map { objectID(for: $0.entity, withReferenceObject: newReferenceObject(for: $0)).reference }
    }
}
