#if compiler(>=6.2)
public import Foundation

/// A notification of the framework as a value with typed properties.
///
/// Foundation on Linux does not turn notifications into messages, so the framework posts both; a message only once
/// somebody has asked for its type, with `addObserver(of:for:using:)` or `messages(of:for:)`.
public protocol NotificationMessage<Subject> {
    associatedtype Subject: AnyObject
    /// The notification that the message stands for.
    static var name: Notification.Name { get }
}

/// A message about something that happens on the main queue; observers are called there, before the call that
/// caused it returns.
public protocol MainActorNotificationMessage: NotificationMessage, NotificationCenter.MainActorMessage {
    /// Nil if it is not a notification of this kind.
    @MainActor static func makeMessage(_ notification: Notification) -> Self?
    @MainActor static func makeNotification(_ message: Self) -> Notification
}

/// A message that may come from any queue; observers are called later, in a task.
public protocol AsyncNotificationMessage: NotificationMessage, NotificationCenter.AsyncMessage {
    /// Nil if it is not a notification of this kind.
    static func makeMessage(_ notification: Notification) -> Self?
    static func makeNotification(_ message: Self) -> Notification
}
#endif
