import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    final func baseSave() throws {
        try Profiling.recording(.save, saveChanges) { event, count in
            event.note(self)
            event.count = count
        }
    }

    /// Saves, and returns the number of objects that were written.
    private final func saveChanges() throws -> Int {
        checkQueue("save()")
        adoptPermanentReferences()
        tracker.beginSave()
        defer { tracker.endSave() }
        processPendingChangesToSave()
        post(.NSManagedObjectContextWillSave)
        guard tracker.hasChanges || !tracker.verifiedAtSave.isEmpty else {
            announce(ChangeGroups(queryGeneration: generationAfterSave), idInfo: nil)
            return 0
        }
        host?.contextWillSave()
        try prepareToSave()
        var runner = ContextSave(self)
        var outcome = try runner.run()
        announce(outcome.groups, idInfo: outcome.idInfo)
        let count =
            outcome.groups.inserted.count + outcome.groups.updated.count + outcome.groups.deleted.count
        // Objects that are not held elsewhere are freed here in the order of the lists, which is mostly their
        // order in memory. Sets would free them in another order.
        withExtendedLifetime(outcome.groups) {
            outcome.idInfo = [:]
            tracker.endSave()
        }
        if let failure = outcome.failure { throw failure }
        return count
    }

    /// Announces a save, including the objects that merges deleted before it, which other contexts know
    /// already.
    ///
    /// - Parameter idInfo: The IDs that were saved; nil if nothing was.
    private final func announce(_ groups: ChangeGroups, idInfo: [AnyHashable: Any]?) {
        for group in [groups.inserted, groups.updated, groups.deleted] {
            group.forEachBorrowed { $0.didSave() }
        }
        let departed = tracker.takeDeparted()
        var told = groups
        if !departed.isEmpty { told.deleted = firstOfEachRow(told.deleted + departed) }
        let info = told.objectInfo(like: tracker.told)
        changeFeed.deliverSave(ContextEvent(info))
        post(.NSManagedObjectContextDidSave, info)
        post(
            .NSManagedObjectContextDidSaveObjectIDs, (departed.isEmpty ? idInfo : nil) ?? told.objectIDInfo)
        if let idInfo {
            mergingContexts?.notify(idInfo, from: self)
            children.notify(idInfo, from: self)
        }
        groups.deleted.forEachBorrowed { if $0.registry == nil { $0.leaveContext() } }
        dismiss(departed)
        if let idInfo { host?.contextDidSave(idInfo) }
    }

    /// Returns the first object of each row: a row that was written again after a merge deleted its object
    /// has a second object.
    private final func firstOfEachRow(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        var rows: Set<NSManagedObjectID> = []
        return objects.filter { rows.insert($0.objectID).inserted }
    }

    /// Calls `willSave` of changed objects and validates them: all objects at first, and after conflicts
    /// those that a merge policy added to the save.
    final func prepareToSave() throws {
        processPendingChangesToSave()
        callWillSaveUntilStable()
        try validate()
        try ExternalRelationships(self).refuse()
    }

    /// Calls `willSave` of every changed object, until no call changes an object; traps after 1000 rounds.
    private final func callWillSaveUntilStable() {
        for _ in 0..<1000 {
            // Objects that change during the calls wait for the next round.
            let tracked = tracker.tracked
            let changedAgain = tracker.pending.filter { $0.flags.contains(.prepared) }
            if changedAgain.isEmpty, tracked.allSatisfyBorrowed({ !$0.isUnprepared }) { return }
            processPendingChangesToSave()
            let changeCount = tracker.changeCount
            tracked.forEachBorrowed { if $0.isUnprepared { prepare($0) } }
            for object in changedAgain { prepare(object) }
            if tracker.changeCount == changeCount { return }
        }
        programmerError(
            "Failed to process pending changes before save. The context is still dirty after 1000 attempts. "
                + "Typically this recursive dirtying is caused by a bad validation method, -willSave, or "
                + "notification handler.")
    }

    private final func prepare(_ object: NSManagedObject) {
        guard object.registry === registry else { return }
        object.flags.insert(.prepared)
        object.willSave()
    }

    final var requiredMergePolicy: NSMergePolicy {
        guard let policy = mergePolicy as? NSMergePolicy else {
            programmerError(
                "mergePolicy must be an NSMergePolicy, not \(type(of: mergePolicy)): set one of NSMergePolicy's."
            )
        }
        return policy
    }

    private final func validate() throws {
        var errors: [NSError] = []
        tracker.tracked.forEachBorrowed { object in
            guard object.isDirty else { return }
            // A relationship changes without its object being read, but checking and writing it need its
            // values.
            if !object.isDeleted { object.fireIfNeeded() }
            guard validatesSaves else { return }
            do {
                if object.isDeleted {
                    if !object.flags.contains(.inaccessible) { try object.validateForDelete() }
                } else if object.isInserted {
                    try object.validateForInsert()
                } else {
                    try object.validateForUpdate()
                }
            } catch {
                errors += CoreDataError.parts(of: error)
            }
        }
        if let error = CoreDataError.combined(errors) { throw error }
        processPendingChanges()
    }
}

extension NSManagedObject {
    /// Whether `willSave` is still to be called.
    fileprivate final var isUnprepared: Bool { isDirty && !flags.contains(.prepared) }
}
