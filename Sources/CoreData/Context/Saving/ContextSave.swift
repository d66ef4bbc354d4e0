import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A save: it commits the frozen changes of a context and applies the stores' answers to its objects.
struct ContextSave {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private var saved = ChangeGroups()
    private var marks: [String: HistoryMark] = [:]
    /// The change count of each row cache before the present attempt.
    private var changeCounts: [Int16: UInt64] = [:]
    /// How often the same conflicts may come back before the merge policy counts as not resolving them.
    ///
    /// New conflicts, with later commits of other writers, are resolved any number of times.
    private static let attempts = 8

    /// The result of a save.
    ///
    /// If there are several stores, some may have been saved before another fails.
    struct Outcome {
        let groups: ChangeGroups
        /// The IDs of `groups`, for the notification and other contexts.
        var idInfo: [AnyHashable: Any]
        let failure: NSError?
    }

    init(_ context: NSManagedObjectContext) {
        self.context = context
        coordinator = context.requiredCoordinator
    }

    /// Saves, and throws if nothing was saved.
    mutating func run() throws -> Outcome {
        do {
            let idInfo = try commitAll()
            return Outcome(groups: saved, idInfo: idInfo, failure: nil)
        } catch {
            if saved.isEmpty { throw error }
            complete()
            return Outcome(groups: saved, idInfo: saved.objectIDInfo, failure: incomplete(error))
        }
    }

    private mutating func commitAll() throws -> [AnyHashable: Any] {
        var last: [ConflictMark] = []
        var repetitions = 0
        while repetitions < Self.attempts {
            try context.nameInsertedObjects()
            let changes = try FrozenChanges(context)
            for handle in context.handles { changeCounts[handle.index] = handle.cache.changeCount }
            do {
                return try commit(changes)
            } catch let error as StoreError {
                let present = error.conflictMarks
                repetitions = present == last ? repetitions + 1 : 1
                last = present
                try resolve(error)
            }
        }
        throw CoreDataError.error(
            NSPersistentStoreSaveConflictsError,
            reason: "The conflicts came back \(Self.attempts) times: the merge policy does not resolve them.")
    }

    /// Commits the changes, to the stores or to the parent.
    ///
    /// A save to a parent is one event of the parent, whatever the number of stores. The event ends with the
    /// save, so that observers are told before the parent's own code continues.
    private mutating func commit(_ changes: FrozenChanges) throws -> [AnyHashable: Any] {
        guard let parent = context.parent else { return try commitSets(changes) }
        return try parent.performAndWait {
            let idInfo = try commitSets(changes)
            TransientAdoption(parent: parent).adopt(changes)
            parent.processPendingChanges()
            return idInfo
        }
    }

    private mutating func commitSets(_ changes: FrozenChanges) throws -> [AnyHashable: Any] {
        var done: [Int16] = []
        do {
            for share in changes.shares {
                guard let set = share.set else { continue }
                guard let handle = context.handle(at: share.store) else {
                    throw CoreDataError.error(
                        NSPersistentStoreSaveError, reason: "A store of the context was removed.")
                }
                let receipt = try coordinator.foreignCommits.saving(to: handle) { () throws(StoreError) in
                    try handle.backend.commit(set)
                }
                if let mark = receipt.historyToken { marks[handle.store.identifier] = mark }
                apply(receipt, share, in: handle)
                done.append(share.store)
            }
        } catch {
            dropSaved(changes, in: done)
            throw error
        }
        for share in changes.shares { saved.add(share) }
        complete()
        let idInfo = saved.objectIDInfo
        finish()
        return idInfo
    }

    private mutating func complete() {
        if !marks.isEmpty { saved.historyToken = NSPersistentHistoryToken(marks) }
        saved.queryGeneration = context.generationAfterSave
    }

    // MARK: Applying a receipt

    private func apply(_ receipt: CommitReceipt, _ share: FrozenChanges.Share, in handle: StoreHandle) {
        context.tracker.noteRenamed(receipt.permanent)
        context.rename(share.inserted, to: receipt.permanent, in: handle)
        shareRows(share.inserted, receipt.derived, in: handle)
        shareRows(share.rewritten, receipt.derived, in: handle)
        handle.cache.remove(share.deleted.lazy.map(\.reference))
        handle.cache.remove(receipt.derived)
        if receipt.mayHaveDerivedMore { handle.cache.removeAll() }
    }

    /// Makes the saved rows the committed rows of their objects, and shares them with every context.
    ///
    /// Rows in which the store derived values are not shared: other contexts read them from the store, and so
    /// do the saved objects when they are refreshed.
    private func shareRows(
        _ objects: [NSManagedObject], _ derived: Set<ObjectReference>, in handle: StoreHandle
    ) {
        let renamed = context.tracker.renamed
        let isPinned = handle.cache !== handle.sharedCache
        // In the common case, the cache replaces its former rows by the saved ones.
        guard isPinned || context.source != nil || !derived.isEmpty else {
            guard let root = objects.first?.runtime.root else { return }
            handle.cache.keeping(of: root, objects.count, since: changeCounts[handle.index]) { keep in
                objects.forEachBorrowed { object in object.commitRow(renamed) { keep($0) } }
            }
            return
        }
        for object in objects {
            object.commitRow(renamed) { row in
                context.releaseRow(of: object)
                if derived.contains(ObjectReference(entity: row.root, key: row.key)) { return nil }
                // Objects that are in no store yet have a handle of their own in a nested context.
                guard object.storeIndex != handle.index else {
                    return handle.cache.keep(row, since: changeCounts[handle.index])
                }
                guard let home = context.handle(at: object.storeIndex) else { return nil }
                context.registry.use(home)
                return home.cache.keep(row)
            }
        }
    }

    private func finish() {
        context.tracker.clear(leave)
        context.tracker.forgetRenamed()
        context.tracker.verifiedAtSave.removeAll()
        context.assignedStores.removeAll()
    }

    /// Ends the save for one object: marks its relationships as committed, and detaches it if it was deleted.
    private func leave(_ object: NSManagedObject) {
        if !object.side.isEmpty {
            for value in object.side { (value as? ToManyValue)?.markCommitted() }
        }
        guard object.isDeleted else { return }
        object.keepID()
        context.registry.unregister(object)
        object.registry = nil
        object.committed = nil
        if !context.retained.isEmpty { context.retained.remove(object) }
    }

    // MARK: Several stores

    /// Drops the changes that some stores have committed, so that another attempt does not save them again.
    private mutating func dropSaved(_ changes: FrozenChanges, in stores: [Int16]) {
        for share in changes.shares where stores.contains(share.store) {
            saved.add(share)
            let objects = share.objects
            objects.forEach(leave)
            context.tracker.forget(objects)
            context.tracker.verifiedAtSave.removeAll { $0.storeIndex == share.store }
            for object in objects { context.assignedStores[ObjectIdentifier(object)] = nil }
        }
        if !stores.isEmpty { context.tracker.followRenames() }
    }

    /// Returns the error that names the stores and objects not saved, if other stores have committed already.
    private func incomplete(_ error: any Error) -> NSError {
        let rest = context.tracker.tracked.filter(\.isDirty)
        let stores = Set(rest.compactMap { context.handle(keeping: $0)?.store })
        return CoreDataError.error(
            NSPersistentStoreIncompleteSaveError,
            reason:
                "Some stores were saved, but not \(stores.map { $0.url?.path ?? $0.type }.sorted()): "
                + (error as NSError).localizedDescription,
            [
                NSAffectedStoresErrorKey: Array(stores), NSAffectedObjectsErrorKey: Array(rest),
                NSUnderlyingErrorKey: translated(error),
            ])
    }

    // MARK: Conflicts

    private func resolve(_ error: StoreError) throws {
        let conflicts: [NSObject]
        let report = ConflictReport(context, readAt: changeCounts)
        switch error.kind {
        case .conflicts(let found): conflicts = report.mergeConflicts(found)
        case .constraints(let found): conflicts = report.constraintConflicts(found)
        default: throw error.nsError()
        }
        context.advanceGeneration()
        // Reads from now on must be as new as the conflict.
        for handle in context.handles { handle.backend.expireReads() }
        try context.withoutUndo {
            try context.requiredMergePolicy.resolve(mergeConflicts: conflicts)
            context.processPendingChanges()
        }
        try context.prepareToSave()
    }
}

extension NSManagedObject {
    /// Makes the values that were saved the committed ones, in a row that other contexts may share from now
    /// on.
    ///
    /// - Parameter share: Returns the row to use instead of this one; nil to use this one.
    fileprivate final func commitRow(_ renamed: ReferenceMap, _ share: (Snapshot) -> Snapshot?) {
        let version = isInserted ? row?.version : committed?.version ?? row?.version
        if row === committed { row = row?.clone() }
        // The row is taken out and put back later, which saves a retain.
        guard let version, let row = row.take() else { return }
        row.key = reference.key
        row.version = version &+ 1
        row.renameReferences(renamed)
        if let other = share(row) { adopt(other) } else { adopt(consume row) }
    }
}
