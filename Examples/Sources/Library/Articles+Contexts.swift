import CoreData

extension Articles {
    @MainActor
    static func messages(_ container: NSPersistentContainer, _ draft: NSManagedObjectContext) async {
        let token = NotificationCenter.default.addObserver(of: container.viewContext, for: .didSave) {
            message in
            print("\(message.inserted.count) new")
        }
        for await save in NotificationCenter.default.messages(of: draft, for: .didSaveObjectIDsAsync) {
            print("\(save.updatedIDs.count) changed")
        }
        NotificationCenter.default.removeObserver(token)
    }
}

final class LatestEdit: NSMergePolicy {
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: list)
        for conflict in list {
            let stored = conflict.persistedSnapshot ?? conflict.cachedSnapshot
            guard let theirs = stored?["edited"] as? Date,
                let mine = conflict.objectSnapshot?["edited"] as? Date
            else { continue }
            conflict.sourceObject.setValue(max(theirs, mine), forKey: "edited")
        }
    }
}
