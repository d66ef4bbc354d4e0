#if compiler(>=6.2)
public import Foundation

/// A notification of the framework as a value with typed properties.
///
/// Unlike Apple's: Foundation on Linux does not turn notifications into messages, nor messages into
/// notifications. The framework posts both, messages only through the default centre and only after their
/// type was requested with `addObserver(of:for:using:)` or `messages(of:for:)`. A message that an app posts
/// does not become a notification.
public protocol NotificationMessage<Subject> {
    /// The class of the objects that post the message.
    associatedtype Subject: AnyObject
    /// The notification that the message stands for.
    static var name: Notification.Name { get }
}

/// A message about something that happens on the main queue.
///
/// Observers are called there, before the call that caused it returns.
public protocol MainActorNotificationMessage: NotificationMessage, NotificationCenter.MainActorMessage {
    /// Returns the message of a notification, or nil if it is not a notification of this kind.
    @MainActor static func makeMessage(_ notification: Notification) -> Self?
    /// Returns the notification that corresponds to a message.
    @MainActor static func makeNotification(_ message: Self) -> Notification
}

/// A message that may come from any queue.
///
/// Observers are called later, in a task.
public protocol AsyncNotificationMessage: NotificationMessage, NotificationCenter.AsyncMessage {
    /// Returns the message of a notification, or nil if it is not a notification of this kind.
    static func makeMessage(_ notification: Notification) -> Self?
    /// Returns the notification that corresponds to a message.
    static func makeNotification(_ message: Self) -> Notification
}
#endif
