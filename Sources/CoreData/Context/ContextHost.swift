import Foundation

/// The owner of a context whose objects stand behind models of another class.
///
/// A context with a host forgets what merges deleted at once, rather than at its next save, and the objects
/// of rows that are gone keep the values that were fetched last.
package protocol ContextHost: AnyObject {
    /// Is called before changes are written; may make more.
    func contextWillSave()
    /// Is called when a save is done and announced.
    ///
    /// - Parameter idInfo: The IDs that were saved, under the keys of
    /// `NSManagedObjectContextDidSaveObjectIDs`.
    func contextDidSave(_ idInfo: [AnyHashable: Any])
    /// Is called before objects whose rows another context deleted lose their values.
    func contextWillDetach(_ objects: [NSManagedObject])
    /// Is called when an object is in the context again, since the deletion of its row was undone.
    func contextDidBringBack(_ object: NSManagedObject)
}

extension NSManagedObjectContext {
    /// Merges at once what other contexts have saved, if the context merges automatically.
    package final func takeOverSaves() {
        guard !isMerging, let inbox else { return }
        takeOver(inbox.takeSaves())
    }

    /// Takes over that a batch deleted rows, and has other contexts that merge automatically do so.
    package final func announceDeletion(of ids: [NSManagedObjectID]) {
        guard !ids.isEmpty else { return }
        let info: [AnyHashable: Any] = [NSDeletedObjectIDsKey: Set(ids)]
        mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, object: self, userInfo: info))
        mergingContexts?.notify(info, from: self)
    }
}
