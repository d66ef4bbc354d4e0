import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The inserted, updated and deleted objects of a context, and those that changed since changes were last
/// processed.
///
/// An object's flags say whether it is inserted, updated or deleted; the lists only keep objects alive and in
/// order.
final class ChangeTracker {
    /// Objects in the order in which they first changed; some of the changes may have been undone.
    @exclusivity(unchecked) private(set) var tracked: [NSManagedObject] = []
    /// The start of the part of `tracked` that changed since changes were last processed, if that part is
    /// contiguous and last.
    @exclusivity(unchecked) private var pendingStart = 0
    @exclusivity(unchecked) private var pendingCount = 0
    /// The objects that changed since changes were last processed, once they are not contiguous in `tracked`.
    /// Mostly nil, which saves a second reference to each object.
    @exclusivity(unchecked) private var pendingApart: [NSManagedObject]?
    /// Counts up whenever an object changes that had not changed since changes were last processed.
    @exclusivity(unchecked) private(set) var changeCount = 0
    /// Whether an object was deleted since changes were last processed.
    @exclusivity(unchecked) private(set) var hasPendingDeletes = false
    /// Whether an object was deleted since delete rules were last applied.
    @exclusivity(unchecked) private var hasNewDeletes = false
    /// Temporary references and the permanent ones that they became, within a save.
    @exclusivity(unchecked) private(set) var renamed: ReferenceMap = [:]
    /// Objects without changes whose rows the next save verifies.
    var verifiedAtSave: [NSManagedObject] = []
    /// Objects that merges deleted: a save writes nothing for them, but until then they count as deleted.
    @exclusivity(unchecked) private(set) var departed: [NSManagedObject] = []
    private var relationshipsBefore: [RelationshipKey: [NSManagedObject]] = [:]
    /// Whether the main queue has a block that ends the event. A loop that saves queues one in all.
    @exclusivity(unchecked) private var isProcessingScheduled = false

    private struct RelationshipKey: Hashable {
        let object: ObjectIdentifier
        let slot: Int
    }

    @exclusivity(unchecked) private var isSaving = false
    /// The changes that the first event of the present save announced.
    @exclusivity(unchecked) private(set) var told: ToldChanges?
    #if CORE_DATA_CHECKS
    private var pace = CheckPace()
    #endif

    // MARK: Reading

    /// Whether a save has something to write.
    var hasChanges: Bool { !tracked.allSatisfyBorrowed { !$0.isDirty } }
    var hasPending: Bool { pendingCount > 0 }

    /// Objects that changed since changes were last processed, in the order in which they first did.
    var pending: [NSManagedObject] {
        if let pendingApart { return pendingApart }
        if pendingCount == tracked.count { return tracked }
        return pendingCount == 0 ? [] : Array(tracked[pendingStart..<pendingStart + pendingCount])
    }

    private func objects(_ flag: ObjectFlags) -> [NSManagedObject] {
        tracked.filter { $0.flags.contains(flag) }
    }

    /// Without deleted objects, which are in `deleted` only.
    var inserted: [NSManagedObject] { live(.inserted) }
    var updated: [NSManagedObject] { live(.updated) }
    var deleted: [NSManagedObject] { objects(.deleted) }

    private func live(_ flag: ObjectFlags) -> [NSManagedObject] {
        tracked.filter { $0.flags.contains(flag) && !$0.flags.contains(.deleted) }
    }

    // MARK: Noting

    func noteInsert(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        object.flags.insert(.inserted)
        let isNew = track(object)
        // The values of an inserted object are set next; because of the second flag that notes no further
        // change.
        note(object, [.pendingInsert, .pendingUpdate], isLast: isNew, in: context)
    }

    func noteUpdate(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        var isNew = false
        if object.flags.isDisjoint(with: .changed) {
            object.flags.insert(.updated)
            isNew = track(object)
        }
        note(object, .pendingUpdate, isLast: isNew, in: context)
    }

    func noteDelete(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        object.flags.insert(.deleted)
        let isNew = track(object)
        hasPendingDeletes = true
        hasNewDeletes = true
        note(object, .pendingDelete, isLast: isNew, in: context)
    }

    /// Notes an object that another context inserted and this one took over.
    func noteArrival(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        note(object, .pendingInsert, in: context)
    }

    func noteRefresh(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        note(object, .pendingRefresh, in: context)
    }

    /// Tracks an object, and returns whether it was not tracked before and is therefore the last one.
    private func track(_ object: NSManagedObject) -> Bool {
        guard !object.flags.contains(.tracked) else { return false }
        object.flags.insert(.tracked)
        tracked.append(object)
        return true
    }

    /// - Parameter isLast: Whether the object is the last one tracked.
    private func note(
        _ object: NSManagedObject, _ change: ObjectFlags, isLast: Bool = false,
        in context: NSManagedObjectContext
    ) {
        if !object.flags.contains(.pending) {
            object.flags.insert(.pending)
            addPending(object, isLast: isLast)
            changeCount += 1
            if !isProcessingScheduled, context.queue.type == .mainQueueConcurrencyType {
                isProcessingScheduled = true
                context.queue.async { [link = context.link] in
                    guard let context = link.target else { return }
                    context.tracker.isProcessingScheduled = false
                    context.processPendingChanges()
                }
            }
        }
        object.flags.insert(change)
        checkInvariants()
    }

    private func addPending(_ object: NSManagedObject, isLast: Bool) {
        if isLast, pendingCount == 0 { pendingStart = tracked.count - 1 }
        if pendingApart != nil || !isLast || pendingStart + pendingCount != tracked.count - 1 {
            keepPendingApart()
            pendingApart?.append(object)
        }
        pendingCount += 1
    }

    private func keepPendingApart() {
        if pendingApart == nil { pendingApart = pending }
    }

    private func forgetPending() {
        pendingApart = nil
        pendingCount = 0
        hasPendingDeletes = false
        hasNewDeletes = false
    }

    /// Returns the objects deleted in the event whose delete rules are still to be applied.
    ///
    /// A second call returns those deleted since the first.
    ///
    /// - Parameter leavesStored: Whether stored objects are left out, whose rules wait for the save.
    func takeDeletes(leavingStored leavesStored: Bool) -> [NSManagedObject] {
        guard hasNewDeletes else { return [] }
        hasNewDeletes = false
        var wanted: ObjectFlags = [.deleted, .pendingDelete]
        if leavesStored { wanted.insert(.inserted) }
        return pending.filter { $0.flags.contains(wanted) && !$0.flags.contains(.propagated) }
    }

    /// Notes that another context or process deleted the objects.
    func noteDeparture(of objects: [NSManagedObject]) {
        forget(objects)
        for object in objects { object.flags.insert([.deleted, .propagated, .inaccessible]) }
        departed += objects
    }

    func takeDeparted() -> [NSManagedObject] {
        defer { departed = [] }
        return departed
    }

    /// Takes an object out of those that merges deleted, and returns whether it was one.
    func takeDeparted(_ object: NSManagedObject) -> Bool {
        guard let index = departed.firstIndex(where: { $0 === object }) else { return false }
        departed.remove(at: index)
        return true
    }

    /// Returns the objects of the event, and begins the next.
    func takePending() -> [NSManagedObject] {
        defer {
            forgetPending()
            checkInvariants()
        }
        return pending
    }

    /// Marks the event's rows as complete: they must be copied before they are written again.
    func sealEvent(_ objects: [NSManagedObject]) {
        objects.forEachBorrowed { object in
            object.flags.subtract([
                .pending, .pendingInsert, .pendingUpdate, .pendingDelete, .pendingRefresh, .ownsRow,
            ])
        }
        relationshipsBefore.removeAll(keepingCapacity: true)
    }

    /// Forgets the values from before the event, once observers were told of it.
    ///
    /// Changes that the observers made belong to the next event.
    func closeEvent(_ objects: [NSManagedObject]) {
        objects.forEachBorrowed { object in
            guard !object.flags.contains(.pending) else { return }
            object.eventBase = nil
            if object.side.isEmpty { return }
            for value in object.side { (value as? ToManyValue)?.endEvent() }
        }
    }

    func noteRenamed(_ references: ReferenceMap) {
        if renamed.isEmpty { return renamed = references }
        references.forEach { renamed[$0] = $1 }
    }

    func forgetRenamed() { renamed = [:] }

    /// Replaces temporary references in rows and relationships by the permanent ones.
    func followRenames() {
        for object in tracked {
            for row in [object.row, object.rowBeforeEvent] {
                row?.renameReferences(renamed)
            }
            if object.side.isEmpty { continue }
            for value in object.side { (value as? ToManyValue)?.renameMembers(renamed) }
        }
    }

    // MARK: Relationships changed through primitive accessors

    func rememberRelationship(_ slot: PropertySlot, of object: NSManagedObject) {
        let key = RelationshipKey(object: ObjectIdentifier(object), slot: slot.index)
        if relationshipsBefore[key] == nil { relationshipsBefore[key] = object.destinations(at: slot) }
    }

    /// Updates the inverse after a primitive accessor has set a relationship.
    func reconcileRelationship(_ slot: PropertySlot, of object: NSManagedObject) {
        let key = RelationshipKey(object: ObjectIdentifier(object), slot: slot.index)
        guard let before = relationshipsBefore.removeValue(forKey: key),
            let inverse = InverseMaintenance.inverse(of: slot, object)
        else { return }
        let after = object.destinations(at: slot)
        for destination in before where !after.contains(destination) { destination.unlink(inverse, object) }
        for destination in after where !before.contains(destination) {
            if inverse.isToOne, let other = destination.toOne(at: inverse), other !== object {
                other.unlink(slot, destination)
            }
            destination.link(inverse, object)
        }
    }

    // MARK: Saving

    func beginSave() { isSaving = true }

    func noteTold(_ changes: ToldChanges) {
        if isSaving, told == nil { told = changes }
    }

    func endSave() {
        isSaving = false
        told = nil
        // After a save that failed, objects still have the flag.
        tracked.forEachBorrowed { $0.flags.remove(.prepared) }
    }

    // MARK: Ending

    /// Forgets every change and clears the objects' flags.
    ///
    /// - Parameter body: Called with each object that changed, before its flags are cleared.
    func clear(_ body: (NSManagedObject) -> Void = { _ in }) {
        tracked.forEachBorrowed { object in
            body(object)
            object.flags.subtract([.inserted, .updated, .deleted, .tracked, .propagated, .prepared])
        }
        sealEvent(pending)
        closeEvent(pending)
        tracked.removeAll()
        forgetPending()
        checkInvariants()
    }

    /// Forgets the changes of objects that need no save any more: inserted and deleted again, or deleted
    /// elsewhere.
    func forget(_ objects: [NSManagedObject]) {
        for object in objects {
            object.flags.subtract([.inserted, .updated, .deleted, .tracked, .prepared])
        }
        if pendingCount > 0 { keepPendingApart() }
        tracked.removeAll { !$0.flags.contains(.tracked) }
        checkInvariants()
    }

    // MARK: Checking

    /// Traps if lists, counts and flags contradict each other; only in builds with `CORE_DATA_CHECKS`.
    @inline(__always)
    private func checkInvariants() {
        #if CORE_DATA_CHECKS
        guard pace.isDue(entries: tracked.count + pendingCount) else { return }
        precondition(
            Set(tracked.map(ObjectIdentifier.init)).count == tracked.count, "an object is tracked twice")
        for object in tracked {
            precondition(object.flags.contains(.tracked), "a tracked object has no flag for it")
        }
        if let pendingApart {
            precondition(pendingApart.count == pendingCount, "a list of changes is not as long as its count")
        } else {
            precondition(
                pendingCount == 0 || pendingStart + pendingCount <= tracked.count,
                "a run of changes ends behind the tracked objects")
        }
        precondition(!hasNewDeletes || hasPendingDeletes, "a new deletion is not pending")
        for object in pending {
            precondition(object.flags.contains(.pending), "a changed object has no flag for it")
            precondition(
                hasPendingDeletes || !object.flags.contains(.pendingDelete), "a deletion is not noted")
        }
        #endif
    }
}
