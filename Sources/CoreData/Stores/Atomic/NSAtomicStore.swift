import CoreDataMemory
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A store of an app's own format that is read and written as a whole.
///
/// Subclass it, override `load()` and `save()`, and register the class with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. `load()` makes a node for every object and hands
/// them to `addCacheNodes(_:)`; `save()` writes `cacheNodes()`. In between the framework fetches, faults and keeps the
/// relationships. Nodes are read when the store has loaded, all of them at once.
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

    /// Reads the file and hands a node for each of its objects to `addCacheNodes(_:)`. A file that is not there yet is a
    /// store without objects.
    open func load() throws { throw missing("load()") }

    /// Writes every node, and the metadata. If it throws, the save of the context fails with the error and keeps its
    /// changes.
    open func save() throws { throw missing("save()") }

    /// A value that names a new object for good: a number, a string or anything else that can be hashed.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        NSNumber(
            value: lastNumber.withLock { number in
                number += 1
                return number
            })
    }

    /// The node of an object that is about to be saved for the first time.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Brings the values of a node up to date with those of its object.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        CacheNodeWriter(store: self).fill(node, from: managedObject)
    }

    /// Called before nodes leave the store.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    private func missing(_ method: String) -> NSError {
        CoreDataError.error(
            NSPersistentStoreOperationError, reason: "\(Swift.type(of: self)) must override \(method).")
    }

    // MARK: Nodes

    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { nodes.withLock { $0.all } }

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

    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        nodes.withLock { $0.byID[objectID] }
    }

    // MARK: Names

    open func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID {
        makeObjectID(entity, data, keys)
    }

    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        keys.reference(of: objectID)
    }

    /// Numbers that are taken are not handed out.
    private func note(_ id: NSManagedObjectID) {
        guard let number = referenceObject(for: id) as? NSNumber else { return }
        lastNumber.withLock { $0 = max($0, number.int64Value) }
    }

    /// The next save goes there.
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
