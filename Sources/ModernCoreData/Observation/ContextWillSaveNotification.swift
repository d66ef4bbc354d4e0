public import CoreData

/// A context is about to save what it has changed.
public struct ContextWillSaveNotification: ContextNotification {
    public static let name = Notification.Name.NSManagedObjectContextWillSave
    public let notification: Notification

    public init(note: Notification) { notification = Self.checked(note) }
}
