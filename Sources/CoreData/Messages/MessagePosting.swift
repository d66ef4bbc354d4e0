import Foundation
import Synchronization

extension NotificationCenter {
    /// Posts a notification of the framework, and the messages that correspond to it.
    final func announce(
        _ name: Notification.Name, of object: AnyObject, _ userInfo: [AnyHashable: Any]? = nil
    ) {
        let notification = Notification(name: name, object: object, userInfo: userInfo)
        CallerIsolation.none.run {
            post(notification)
            #if compiler(>=6.2)
            MessagePosting.post(notification)
            #endif
        }
    }
}

#if compiler(>=6.2)
/// The posting of messages beside notifications, for the types that the program observes.
enum MessagePosting {
    private typealias Poster = @Sendable (Notification) -> Void
    /// The closures that make a message of a notification and post it, by name and type.
    private static let posters = Guarded<[Notification.Name: [ObjectIdentifier: Poster]]>([:])
    /// Whether there are any posters: most programs observe no messages.
    private static let havePosters = Atomic(false)

    static func start<Message: MainActorNotificationMessage>(_ type: Message.Type) {
        start(type) { notification in
            guard BlockQueue.isMain else { return }
            nonisolated(unsafe) let notification = notification
            MainActor.assumeIsolated {
                guard let subject = notification.object as? Message.Subject,
                    let message = Message.makeMessage(notification)
                else { return }
                NotificationCenter.default.post(message, subject: subject)
            }
        }
    }

    static func start<Message: AsyncNotificationMessage>(_ type: Message.Type) {
        start(type) { notification in
            guard let subject = notification.object as? Message.Subject,
                let message = Message.makeMessage(notification)
            else { return }
            NotificationCenter.default.post(message, subject: subject)
        }
    }

    private static func start<Message: NotificationMessage>(
        _ type: Message.Type, _ poster: @escaping Poster
    ) {
        posters.withLock { $0[Message.name, default: [:]][ObjectIdentifier(type)] = poster }
        havePosters.store(true, ordering: .releasing)
    }

    static func post(_ notification: Notification) {
        guard havePosters.load(ordering: .acquiring) else { return }
        let posters = posters.withLock { $0[notification.name] } ?? [:]
        for poster in posters.values { poster(notification) }
    }
}
#endif
