import Foundation

/// An observation of notifications that ends with the value.
final class NotificationObservation: @unchecked Sendable {
    private let token: any NSObjectProtocol

    init(
        _ name: Notification.Name, of object: AnyObject?,
        _ body: @escaping @Sendable (Notification) -> Void
    ) {
        token = NotificationCenter.default.addObserver(
            forName: name, object: object, queue: nil, using: body)
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
