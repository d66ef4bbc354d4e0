public import CoreData

/// An observer that calls a handler when an object changes or is deleted, as long as the observer lives.
///
/// The object is kept alive meanwhile. To observe one property, use `observe(_:options:changeHandler:)`; to
/// use `await`, use `objectChanges()`.
public final class ManagedObjectObserver {
    /// The kind of a change.
    public enum ChangeType: Sendable {
        /// The object was deleted, or its context was reset.
        case delete
        /// The object was changed in its context, or merged, refreshed or rolled back.
        case update
    }

    private let token: any NSObjectProtocol

    /// Begins to observe an object; nil for an object without a context.
    ///
    /// The handler is called on the context's queue, once for each event in which the object changed.
    public init?(object: NSManagedObject, changeHandler: @escaping (ChangeType) -> Void) {
        guard let context = object.managedObjectContext else { return nil }
        token = context.addObjectsDidChangeNotificationObserver { note in
            if let change = ChangeType(of: object, in: note) { changeHandler(change) }
        }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}

extension ManagedObjectObserver.ChangeType {
    fileprivate init?(of object: NSManagedObject, in note: ObjectsDidChangeNotification) {
        if note.invalidatedAllObjects || note.deletedObjects.contains(object)
            || note.invalidatedObjects.contains(object)
        {
            self = .delete
        } else if note.updatedObjects.contains(object) || note.refreshedObjects.contains(object) {
            self = .update
        } else {
            return nil
        }
    }
}
