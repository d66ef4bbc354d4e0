import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues
import Foundation

/// The reader that fills objects and relationships: from the row cache if it has the row, otherwise from the
/// store.
///
/// Its context is an argument of each call, since a reference back to it would be counted at each fault.
final class FaultHandler {
    /// Called when a store cannot be read; if nil, the program traps instead.
    var reportFailure: ((StoreError) -> Void)?
    /// Batches of faults that were fetched together and are read together.
    @exclusivity(unchecked) private var batches: [ObjectReference: FaultBatch] = [:]
    @exclusivity(unchecked) private var memberUse = MemberUse()

    /// Returns the row of an object; nil if there is none, or a failure was reported.
    func snapshot(for object: NSManagedObject, in context: NSManagedObjectContext) -> Snapshot? {
        guard let handle = Self.handle(of: object, in: context) else { return object.committed }
        memberUse.noteFiring(of: object.runtime.root)
        // The age of cached rows is not known, so with any limit the store is read.
        if context.stalenessInterval >= 0 {
            handle.backend.expireReads()
            return read(object, in: handle, readAt: handle.cache.changeCount)
        }
        let (current, changeCount) = handle.cache.look(for: object.reference)
        if let current {
            if Profiling.isOn { Profiling.noteCacheHit(object) }
            return current
        }
        // A row that the object holds but the cache has dropped is outdated: the store has a newer one, or
        // none.
        if !batches.isEmpty, let batch = batches[object.reference] {
            read(batch, in: handle, context)
            if let current = handle.cache.current(object.reference) { return current }
        }
        return read(object, in: handle, readAt: changeCount)
    }

    /// Reads the row of an object from the store, bypassing the cache.
    func freshSnapshot(for object: NSManagedObject, in context: NSManagedObjectContext) -> Snapshot? {
        Self.handle(of: object, in: context).flatMap { read(object, in: $0, readAt: $0.cache.changeCount) }
    }

    /// - Parameter changeCount: The change count of the row cache before the read.
    private func read(
        _ object: NSManagedObject, in handle: StoreHandle, readAt changeCount: UInt64
    ) -> Snapshot? {
        do {
            let row = try Profiling.recording(.fault) { () throws(StoreError) in
                try handle.backend.snapshot(for: object.reference)
            } describe: { event, row in
                event.describe(object, in: handle)
                event.count = row.map { $0 == nil ? 0 : 1 }
            }
            return row.map { handle.cache.insert($0, readAt: changeCount) }
        } catch {
            report(error, "a fault for '\(object.objectID.uriRepresentation())'")
            return nil
        }
    }

    @inline(__always)
    private static func handle(
        of object: NSManagedObject, in context: NSManagedObjectContext
    ) -> StoreHandle? {
        // An inserted object has no row in a store.
        if object.isInserted { return nil }
        guard let handle = context.readHandle(at: object.storeIndex) else { return nil }
        context.registry.use(handle)
        return handle
    }

    /// Reads the members of a to-many.
    func load(
        _ value: ToManyValue, at slot: PropertySlot, of object: NSManagedObject,
        in context: NSManagedObjectContext
    ) {
        guard let handle = Self.handle(of: object, in: context) else { return value.load([]) }
        Profiling.recording(.relationship) {
            load(value, at: slot, of: object, from: handle, in: context)
        } describe: { event, count in
            event.describe(object, in: handle)
            (event.detail, event.count) = (slot.name, count)
        }
    }

    /// Reads the members from the store, and returns their number.
    private func load(
        _ value: ToManyValue, at slot: PropertySlot, of object: NSManagedObject, from handle: StoreHandle,
        in context: NSManagedObjectContext
    ) -> Int {
        do throws(StoreError) {
            let reference = object.reference
            // With a staleness interval, members' rows are read when the members are used.
            let members =
                if context.stalenessInterval < 0, memberUse.expectsFiring(of: slot) {
                    try Members(slot.index, of: [reference], in: handle, context).objects(of: reference)
                } else {
                    context.objects(
                        for: try handle.backend.related(slot.index, of: reference), storeIndex: handle.index)
                }
            memberUse.noteReading(members, of: slot)
            fill(value, at: slot, of: object, with: members)
            return members.count
        } catch {
            report(error, "the relationship fault '\(slot.name)' of '\(object.objectID.uriRepresentation())'")
            value.load([])
            return 0
        }
    }

    /// Takes over the stored members of a to-many, to which unsaved additions and removals are then applied.
    func fill(
        _ value: ToManyValue, at slot: PropertySlot, of object: NSManagedObject,
        with objects: [NSManagedObject]
    ) {
        if let inverse = InverseMaintenance.inverse(of: slot, object), inverse.isToOne {
            value.decideChanges(
                stored: objects, isElsewhere: { $0.isElsewhere(than: object, at: inverse) },
                isHere: { $0.isHere(in: object, at: inverse) })
        }
        value.load(objects)
    }

    /// Reports an error of an accessor, which cannot throw; traps without a `reportFailure`.
    private func report(_ error: StoreError, _ fault: String) {
        guard let reportFailure else {
            programmerError("CoreData could not fulfill \(fault): \(error.message)")
        }
        reportFailure(error)
    }

    // MARK: Batches

    /// Notes faults that are to be read `size` at a time, with the destinations of some relationships.
    func noteBatches(_ references: [ObjectReference], size: Int, prefetching keyPaths: [String]) {
        var start = 0
        while start < references.count {
            let members = Array(references[start..<min(start + size, references.count)])
            let batch = FaultBatch(members: members, keyPaths: keyPaths)
            for reference in members { batches[reference] = batch }
            start += size
        }
    }

    /// Forgets which faults are read together: each is read on its own from now on.
    func forgetBatches() { batches.removeAll() }

    private func read(_ batch: FaultBatch, in handle: StoreHandle, _ context: NSManagedObjectContext) {
        for reference in batch.members { batches[reference] = nil }
        let changeCount = handle.cache.changeCount
        let read = Profiling.recording(.fault) {
            try? handle.backend.snapshots(for: batch.members)
        } describe: { event, rows in
            event.note(context)
            event.mark = handle.mark
            event.entity = rows??.first?.layout.entity.name
            event.count = rows??.count
        }
        guard let rows = read else { return }
        var objects: [NSManagedObject] = []
        for row in context.remember(rows, from: handle, readAt: changeCount) {
            let root = row.root
            guard
                let object = context.registry.object(row.reference, storeIndex: handle.index, root: root),
                object.isFault, object.runtime.compiled.includes(row.entity)
            else { continue }
            object.committed = row
            objects.append(object)
        }
        // A relationship that cannot be read now is read, or its failure reported, when it is used.
        try? Prefetcher(context).prefetch(batch.keyPaths, of: objects)
    }
}

extension ProfileEvent {
    fileprivate mutating func describe(_ object: NSManagedObject, in handle: StoreHandle) {
        entity = object.runtime.compiled.name
        if let context = object.managedObjectContext { note(context) }
        mark = handle.mark
    }
}

/// References whose rows are read in one statement.
final class FaultBatch {
    let members: [ObjectReference]
    /// Key paths of relationships to prefetch when the rows are read.
    let keyPaths: [String]

    init(members: [ObjectReference], keyPaths: [String]) {
        self.members = members
        self.keyPaths = keyPaths
    }
}

extension NSManagedObjectContext {
    /// Has errors of the store reported where an object's values are read. The values then read as nil.
    package final func reportUnreadableFaults(to report: @escaping (StoreError) -> Void) {
        faultHandler.reportFailure = report
    }
}
