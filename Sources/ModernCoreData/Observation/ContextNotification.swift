public import CoreData

/// A notification of a context, with typed properties instead of keys.
public protocol ContextNotification {
    /// The name of the notification.
    static var name: Notification.Name { get }
    /// The notification as it was posted.
    var notification: Notification { get }
    /// Makes a typed notification. Traps if it has another name, or was not posted by a context.
    init(note: Notification)
}

extension ContextNotification {
    /// The context that posted the notification. The objects of the notification must be used on its queue.
    public var managedObjectContext: NSManagedObjectContext {
        guard let context = notification.object as? NSManagedObjectContext else {
            programmerError("A \(Self.self) has no context: make it of a notification that a context posted.")
        }
        return context
    }

    static func checked(_ note: Notification) -> Notification {
        guard note.name == name, note.object is NSManagedObjectContext else {
            programmerError(
                "\(Self.self) stands for \(name.rawValue) of a context, not for \(note.name.rawValue) of "
                    + "\(note.object ?? "nobody").")
        }
        return note
    }

    func objects(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObject> {
        notification.userInfo?[key.rawValue] as? Set<NSManagedObject> ?? []
    }

    func objectIDs(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
        notification.userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []
    }
}
