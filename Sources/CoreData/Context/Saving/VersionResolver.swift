import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The resolution of conflicts with rows that changed, or were deleted, since the context read them.
struct VersionResolver {
    private let policy: NSMergePolicyType
    /// The largest number of versions that other contexts may have written of a row before it was deleted.
    ///
    /// A row that is written again skips as many version numbers: a context that remembers one of those
    /// versions would otherwise take the new row for the old.
    private static let versionsOfOthers: Int64 = 1000

    init(_ policy: NSMergePolicyType) {
        self.policy = policy
    }

    /// Whether the context's changes win where both sides changed.
    private var isContextFirst: Bool {
        policy == .overwriteMergePolicyType || policy == .mergeByPropertyObjectTrumpMergePolicyType
    }

    func resolve(_ conflict: NSMergeConflict) {
        let object = conflict.sourceObject
        guard let context = object.registry?.context else { return }
        guard let persisted = conflict.opponent else {
            if object.isDeleted {
                object.flags.insert(.inaccessible)
            } else if isContextFirst, object.isUpdated {
                revive(object, in: context)
            } else {
                bury(object, in: context)
            }
            return
        }
        if object.isInserted { return rejoin(object, persisted, in: context) }
        guard object.isDirty else { return object.giveUpChanges(for: persisted) }
        if policy == .rollbackMergePolicyType {
            object.giveUpChanges(for: persisted)
        } else if object.isDeleted {
            // The deletion goes ahead against the newer row.
            object.committed = persisted
        } else {
            rebase(object, onto: persisted)
        }
    }

    /// Puts the object's changes on top of what the store has now.
    private func rebase(_ object: NSManagedObject, onto persisted: Snapshot) {
        guard let base = object.committed, let row = object.row else { return }
        let others = OtherSides(of: object)
        object.dropStoredSides()
        let merged = persisted.clone()
        for column in row.layout.columns.indices {
            let changedHere = !row.isEqual(column, to: base)
            let changedThere = !persisted.isEqual(column, to: base)
            let takesMine =
                switch policy {
                case .overwriteMergePolicyType: true
                case .mergeByPropertyStoreTrumpMergePolicyType: changedHere && !changedThere
                default: changedHere
                }
            if takesMine {
                merged.copyColumn(column, from: row)
            } else if changedHere || changedThere {
                object.setSide(nil, at: object.runtime.columns[column].index)
            }
        }
        object.adopt(persisted)
        object.take(merged)
        others.follow()
        // Noted so that lists and observers learn the new values even if the save fails.
        object.registry?.context.map { $0.tracker.noteRefresh(object, in: $0) }
        object.awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Has the save write the row again, under its old key: it is gone, and the context's values win.
    private func revive(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        let row = object.ownRow()
        row.version += Self.versionsOfOthers
        object.take(row)
        context.handle(at: object.storeIndex)?.cache.remove(object.reference)
        object.committed = nil
        object.flags.remove(.updated)
        context.tracker.noteInsert(object, in: context)
        for value in object.side { (value as? ToManyValue)?.forgetStored() }
    }

    /// Turns all values of an object into changes: its row was deleted, and another context has already
    /// written it again.
    private func rejoin(_ object: NSManagedObject, _ persisted: Snapshot, in context: NSManagedObjectContext)
    {
        let row = object.ownRow()
        object.flags.subtract([.inserted, .pendingInsert, .pendingUpdate])
        guard isContextFirst else { return object.giveUpChanges(for: persisted) }
        let others = OtherSides(of: object)
        object.dropStoredSides()
        let merged = persisted.clone()
        for column in row.layout.columns.indices { merged.copyColumn(column, from: row) }
        object.adopt(persisted)
        object.take(merged)
        context.tracker.noteUpdate(object, in: context)
        others.follow()
    }

    /// Deletes the object here too: its row is gone, and the store wins.
    private func bury(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        object.flags.remove(.updated)
        object.flags.insert(.inaccessible)
        context.tracker.noteDelete(object, in: context)
    }
}

extension NSManagedObject {
    /// Replaces every change by the stored value.
    final func giveUpChanges(for persisted: Snapshot) {
        let others = OtherSides(of: self)
        others.takeBackMembers()
        for index in side.indices where !(side[index] is ToManyValue) { side[index] = nil }
        flags.subtract([.deleted, .propagated])
        // If the object keeps members that it was given, it stays updated, so that other contexts learn of
        // them.
        if side.allSatisfy({ $0 == nil }) { flags.remove(.updated) }
        adopt(persisted)
        others.follow()
        registry?.context.map { $0.tracker.noteRefresh(self, in: $0) }
        awake(fromSnapshotEvents: .mergePolicy)
    }
}
