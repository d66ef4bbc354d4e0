import CoreData

/// Tells its owner when an object changes or goes, as long as it lives.
final class ManagedObjectObserver {
    enum Change {
        case updated
        case deleted
    }

    private let token: any NSObjectProtocol

    init?(object: NSManagedObject, handler: @escaping @MainActor @Sendable (Change) -> Void) {
        guard let context = object.managedObjectContext else { return nil }
        let objectID = object.objectID
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            guard let change = ObjectsDidChangeNotification(note).change(ofObjectWith: objectID) else {
                return
            }
            MainActor.assumeIsolated { handler(change) }
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(token)
    }
}

/// A typed view of a context's notification of its latest changes.
struct ObjectsDidChangeNotification {
    private let notification: Notification

    init(_ notification: Notification) {
        assert(notification.name == .NSManagedObjectContextObjectsDidChange)
        self.notification = notification
    }

    var insertedObjects: Set<NSManagedObject> { objects(forKey: NSInsertedObjectsKey) }
    var updatedObjects: Set<NSManagedObject> { objects(forKey: NSUpdatedObjectsKey) }
    var deletedObjects: Set<NSManagedObject> { objects(forKey: NSDeletedObjectsKey) }
    var refreshedObjects: Set<NSManagedObject> { objects(forKey: NSRefreshedObjectsKey) }
    var invalidatedAllObjects: Bool { notification.userInfo?[NSInvalidatedAllObjectsKey] != nil }

    var managedObjectContext: NSManagedObjectContext {
        guard let context = notification.object as? NSManagedObjectContext else {
            fatalError("Invalid notification object")
        }
        return context
    }

    func change(ofObjectWith objectID: NSManagedObjectID) -> ManagedObjectObserver.Change? {
        func contains(_ objects: Set<NSManagedObject>) -> Bool {
            objects.contains { $0.objectID == objectID }
        }
        if invalidatedAllObjects || contains(deletedObjects) { return .deleted }
        return contains(updatedObjects.union(refreshedObjects)) ? .updated : nil
    }

    private func objects(forKey key: String) -> Set<NSManagedObject> {
        notification.userInfo?[key] as? Set<NSManagedObject> ?? []
    }
}
