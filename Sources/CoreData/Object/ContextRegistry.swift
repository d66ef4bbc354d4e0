import CRuntime
import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization

/// The identity map of a context: the object of each row.
///
/// Objects are held weakly. Each removes itself when it is freed, on any thread; therefore the map outlives
/// its context and has a lock. A lookup does not return an object that is being freed.
final class ContextRegistry: @unchecked Sendable {
    /// The row of the object that is made next, if that object is not to be inserted. The object's
    /// initializer takes it.
    struct Birth: ~Copyable {
        let runtime: EntityRuntime
        let reference: ObjectReference
        let storeIndex: Int16
        let row: Snapshot?
    }

    private let contextLink: Backlink<NSManagedObjectContext>
    /// Keeps the descriptions alive that objects refer to.
    private let model: FrozenModel?
    private let entityCount: Int
    private let tables = Guarded(Tables())
    private let hasListeners = Atomic(false)
    /// The store that was used last, which the next call mostly uses as well.
    @exclusivity(unchecked) private var lastUse: (index: Int16, cache: RowCache)?
    @exclusivity(unchecked) private var lastEntity:
        (id: ObjectIdentifier, objectClass: NSManagedObject.Type, entity: NSEntityDescription)?
    @exclusivity(unchecked) private var lastHome: NSManagedObjectID.Home?
    /// The entity that was looked up last; the context's model keeps it alive.
    @exclusivity(unchecked) private var lastRuntime: EntityRuntime?
    /// Two entities whose attributes were compared last: one object after the other adopts values of another.
    @exclusivity(unchecked) private var lastAdoption:
        (own: EntityRuntime, other: EntityRuntime, pairs: [(own: Int, other: Int)])?

    init(of context: Backlink<NSManagedObjectContext>, model: FrozenModel?) {
        contextLink = context
        self.model = model
        entityCount = model?.compiled.entities.count ?? 0
    }

    deinit {
        tables.withLock { state in
            for table in state.tables { table?.deallocate() }
        }
    }

    var context: NSManagedObjectContext? { contextLink.target }

    func store(at index: Int16) -> NSPersistentStore? {
        index < 0 ? nil : context?.handle(at: index)?.store
    }

    /// Returns the link to a store, also for objects that outlive their context.
    private func storeLink(at index: Int16) -> Backlink<NSPersistentStore>? {
        guard index >= 0, contextLink.target == nil else { return store(at: index)?.link }
        return tables.withLock { state in
            let index = Int(index) + 1
            return index < state.caches.count ? state.caches[index]?.store : nil
        }
    }

    /// Returns what all IDs of one entity in one store share; remembers the last answer, since successive
    /// calls mostly have the same arguments.
    func home(of runtime: EntityRuntime, storeIndex: Int16) -> NSManagedObjectID.Home {
        let storeLink = storeLink(at: storeIndex)
        if let lastHome, lastHome.runtime === runtime, lastHome.storeLink === storeLink { return lastHome }
        let home = NSManagedObjectID.Home(runtime, storeLink: storeLink)
        lastHome = home
        return home
    }

    /// Returns a class of objects and its entity in the context's model.
    ///
    /// Remembers the last answer: objects of one class are mostly made one after the other, and a cast of the
    /// class takes longer than most other steps of making an object.
    ///
    /// - Parameter type: A class of managed objects.
    func entity(of type: Any.Type) -> (objectClass: NSManagedObject.Type, entity: NSEntityDescription)? {
        let id = ObjectIdentifier(type)
        if let lastEntity, lastEntity.id == id { return (lastEntity.objectClass, lastEntity.entity) }
        guard let objectClass = type as? NSManagedObject.Type,
            let entity = model.flatMap({ EntityClasses.unique($0.entities(of: objectClass), objectClass) })
        else { return nil }
        lastEntity = (id, objectClass, entity)
        return (objectClass, entity)
    }

    /// Returns the framework's data of an entity. For an entity of the context's model it skips the check
    /// that the data is still alive.
    @inline(__always)
    func runtime(of entity: NSEntityDescription) -> EntityRuntime {
        if let lastRuntime, lastRuntime.entity === entity { return lastRuntime }
        let runtime = entity.runtime
        if let model, runtime.modelLink === model.link { lastRuntime = runtime }
        return runtime
    }

    /// Returns the columns of attributes that two entities share.
    func attributePairs(of own: EntityRuntime, and other: EntityRuntime) -> [(own: Int, other: Int)] {
        if let lastAdoption, lastAdoption.own === own, lastAdoption.other === other {
            return lastAdoption.pairs
        }
        let pairs = own.attributePairs(with: other)
        lastAdoption = (own, other, pairs)
        return pairs
    }

    // MARK: Making objects

    /// Makes a new object for a row, and registers it unless there is another object for the row.
    func makeObject(
        for reference: ObjectReference, runtime: EntityRuntime, storeIndex: Int16, row: Snapshot?,
        in context: NSManagedObjectContext, isRegistered: Bool = true
    ) -> NSManagedObject {
        context.birth = Birth(runtime: runtime, reference: reference, storeIndex: storeIndex, row: row)
        let object = runtime.objectClass.init(_made: runtime.entity, in: context)
        guard context.birth.take() == nil else {
            programmerError(
                "\(type(of: object)) must call super.init(entity:insertInto:) with the context it is given")
        }
        if isRegistered { register(object) }
        if context.tracksReads { object.trackReads(true) }
        return object
    }

    // MARK: Lookup

    @inline(__always)
    private func position(_ reference: ObjectReference, _ storeIndex: Int16, root: EntityIndex) -> Int {
        reference.isTemporary ? Int(root) : position(storeIndex, root: root)
    }

    /// Returns the position of the table of the rows of a store.
    @inline(__always)
    private func position(_ storeIndex: Int16, root: EntityIndex) -> Int {
        (Int(storeIndex) + 1) * entityCount + Int(root)
    }

    func object(_ reference: ObjectReference, storeIndex: Int16, root: EntityIndex) -> NSManagedObject? {
        let position = position(reference, storeIndex, root: root)
        return tables.withLock { state -> NSManagedObject? in
            guard position < state.tables.count, let table = state.tables[position],
                let pointer = table[reference.key]
            else { return nil }
            return Self.retainIfAlive(pointer)
        }
    }

    /// Makes room for `count` more objects of a store's rows.
    func reserve(_ count: Int, of root: EntityIndex, storeIndex: Int16) {
        let position = position(storeIndex, root: root)
        tables.withLock { $0.reserve(count, at: position) }
    }

    func register(_ object: NSManagedObject) {
        let position = position(object.reference, object.storeIndex, root: object.runtime.root)
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        tables.withLock { $0.set(pointer, object.reference.key, at: position) }
        if let store = listener(of: object) {
            store.managedObjectContextDidRegisterObjects(with: [id(of: object, in: store)])
        }
    }

    func unregister(_ object: NSManagedObject) {
        let position = position(object.reference, object.storeIndex, root: object.runtime.root)
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        tables.withLock { $0.remove(pointer, object.reference.key, at: position) }
        if let store = listener(of: object) {
            store.managedObjectContextDidUnregisterObjects(with: [id(of: object, in: store)])
        }
    }

    /// Registers objects under other references, if they have others now.
    func move(
        _ objects: [NSManagedObject], storeIndex: Int16,
        to reference: (NSManagedObject) -> ObjectReference?
    ) {
        guard !hasListeners.load(ordering: .relaxed) else {
            for object in objects {
                guard let reference = reference(object) else { continue }
                unregister(object)
                object.become(reference, storeIndex: storeIndex)
                register(object)
            }
            return
        }
        guard let first = objects.first else { return }
        tables.withLock { state in
            // Mostly they are all of one hierarchy and the only objects in their former table, which is
            // emptied at once.
            let root = first.runtime.root
            let former = position(first.reference, first.storeIndex, root: root)
            let next = position(storeIndex, root: root)
            state.reserve(objects.count, at: next)
            let emptied = former != next && state.count(at: former) == objects.count ? former : nil
            var emptiedCount = 0
            objects.forEachBorrowed { object in
                guard let reference = reference(object) else { return }
                let root = object.runtime.root
                let former = object.reference
                let from = position(former, object.storeIndex, root: root)
                let to = position(reference, storeIndex, root: root)
                let pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
                object.become(reference, storeIndex: storeIndex)
                if from == emptied {
                    emptiedCount += 1
                } else {
                    state.remove(pointer, former.key, at: from)
                }
                state.set(pointer, reference.key, at: to)
            }
            if let emptied { state.removeMoved(emptiedCount, at: emptied) }
        }
    }

    @inline(__always)
    private func listener(of object: NSManagedObject) -> NSIncrementalStore? {
        hasListeners.load(ordering: .relaxed) ? tables.withLock { $0.listeners[object.storeIndex] } : nil
    }

    /// Returns an ID for an object that is being freed.
    private func id(of object: NSManagedObject, in store: NSIncrementalStore) -> NSManagedObjectID {
        NSManagedObjectID(object.reference, runtime: object.runtime, store: store)
    }

    /// Called by an object that is being freed: removes it from the map, and its row from the row cache if it
    /// was the last holder of the row.
    func forget(_ object: NSManagedObject) {
        let position = position(object.reference, object.storeIndex, root: object.runtime.root)
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        object.row = nil
        let row = tables.withLock { state -> Snapshot? in
            state.remove(pointer, object.reference.key, at: position)
            return object.committed == nil ? nil : state.release(&object.committed, of: object.storeIndex)
        }
        // Values of the app in a row may run any code when they are freed, so they are freed outside of the
        // lock.
        _ = consume row
        if let store = listener(of: object) {
            store.managedObjectContextDidUnregisterObjects(with: [id(of: object, in: store)])
        }
    }

    /// Gives an object's row back to its cache.
    func releaseRow(of object: NSManagedObject) {
        guard object.committed != nil else { return }
        _ = tables.withLock { $0.release(&object.committed, of: object.storeIndex) }
        object.committed = nil
    }

    /// Notes the caches of a store, to which rows are given back when their objects are freed.
    func use(_ handle: StoreHandle) {
        if let lastUse, lastUse.index == handle.index, lastUse.cache === handle.cache { return }
        lastUse = (handle.index, handle.cache)
        let index = Int(handle.index) + 1
        tables.withLock { state in
            while state.caches.count <= index { state.caches.append(nil) }
            if state.caches[index]?.current.object !== handle.cache {
                state.caches[index] = Caches(handle)
            }
        }
        if handle.isBindable, let store = handle.store as? NSIncrementalStore {
            hasListeners.store(true, ordering: .relaxed)
            tables.withLock { $0.listeners[handle.index] = store }
        }
    }

    /// All living objects.
    var objects: [NSManagedObject] { objects { _ in true } }

    /// The living objects that have values outside of their rows.
    var objectsWithSides: [NSManagedObject] { objects { !$0.side.isEmpty } }

    private func objects(where isWanted: (NSManagedObject) -> Bool) -> [NSManagedObject] {
        tables.withLock { state in
            var result: [NSManagedObject] = []
            for table in state.tables {
                table?.forEach { _, pointer in
                    // An object that is being freed keeps its values until it has left the table, for which
                    // it needs the lock.
                    let object = Unmanaged<NSManagedObject>.fromOpaque(pointer)
                    guard object._withUnsafeGuaranteedRef(isWanted) else { return }
                    if let object = Self.retainIfAlive(pointer) { result.append(object) }
                }
            }
            return result
        }
    }

    func removeAll() {
        tables.withLock { state in
            for index in state.tables.indices { state.tables[index]?.removeAll() }
        }
    }

    private static func retainIfAlive(_ pointer: UnsafeRawPointer) -> NSManagedObject? {
        guard opencoredata_try_retain(pointer) != nil else { return nil }
        return Unmanaged<NSManagedObject>.fromOpaque(pointer).takeRetainedValue()
    }
}
