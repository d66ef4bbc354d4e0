public import CoreData

/// The notification that a context is about to save.
public struct ContextWillSaveNotification: ContextNotification {
    /// The name of the notification.
    public static let name = Notification.Name.NSManagedObjectContextWillSave
    /// The notification as it was posted.
    public let notification: Notification

    /// Makes a typed notification.
    ///
    /// Traps if it has another name, or was not posted by a context.
    public init(note: Notification) { notification = Self.checked(note) }
}
