import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

extension NSManagedObjectContext {
    final func saveChanges() throws {
        checkQueue("save()")
        adoptPermanentReferences()
        tracker.beginSave()
        defer { tracker.endSave() }
        processPendingChangesToSave()
        guard hasChanges || !tracker.locked.isEmpty else { return }
        post(.NSManagedObjectContextWillSave)
        for object in tracker.tracked { object.flags.remove(.prepared) }
        try prepareToSave()
        var runner = SaveRunner(self)
        let outcome = try runner.run()
        announce(outcome.groups, outcome.idInfo)
        if let failure = outcome.failure { throw failure }
    }

    private final func announce(_ groups: ChangeGroups, _ idInfo: [AnyHashable: Any]) {
        for group in [groups.inserted, groups.updated, groups.deleted] {
            for object in group { object.didSave() }
        }
        post(.NSManagedObjectContextDidSave, groups.objectInfo(like: tracker.told))
        post(.NSManagedObjectContextDidSaveObjectIDs, idInfo)
        publisher?.publish(idInfo, from: self)
        children.publish(idInfo, from: self)
        for object in groups.deleted where object.registry == nil { object.leaveContext() }
    }

    /// Lets changed objects prepare and checks them: all of them, and after conflicts those that a merge policy drew
    /// into the save.
    final func prepareToSave() throws {
        processPendingChangesToSave()
        settle()
        try validate()
        try ExternalRelationships(self).refuse()
    }

    /// Calls `willSave` of every changed object, until none changes any more.
    private final func settle() {
        for _ in 0..<1000 {
            let waiting = tracker.tracked.filter { $0.isDirty && !$0.flags.contains(.prepared) }
            let changedAgain = tracker.pending.filter { $0.flags.contains(.prepared) }
            if waiting.isEmpty, changedAgain.isEmpty { return }
            processPendingChangesToSave()
            for object in waiting + changedAgain where object.registry === registry {
                object.flags.insert(.prepared)
                object.willSave()
            }
        }
        programmerError(
            "Failed to process pending changes before save. The context is still dirty after 1000 attempts. "
                + "Typically this recursive dirtying is caused by a bad validation method, -willSave, or "
                + "notification handler.")
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
        // A relationship changes without its object being read; what is checked and written needs its values.
        for object in tracker.tracked where object.isUpdated && !object.isDeleted { object.fireIfNeeded() }
        guard validatesSaves else { return }
        for object in tracker.tracked where object.isDirty {
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
