public import Foundation

// Members of Foundation and Dispatch that model layers use and that are missing on Linux.

/// The number of nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// The number of nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// The number of nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
/// The number of microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000

extension FileManager {
    /// Always nil: there is no iCloud account on Linux.
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? { nil }
}

/// A protocol to which only `NSObject` conforms, so that members that Foundation declares in another form can
/// be overloaded.
public protocol FoundationOverloading {}

extension NSObject: FoundationOverloading {}

extension FoundationOverloading where Self: NSObject {
    /// Returns the class itself.
    public static func classForCoder() -> AnyClass { self }
}

extension FoundationOverloading where Self: Bundle {
    /// Returns the bundle's resources with an extension as `URL`s, where Foundation on Linux returns
    /// `NSURL`s.
    public func urls(forResourcesWithExtension ext: String?, subdirectory subpath: String?) -> [URL]? {
        let found: [NSURL]? = urls(forResourcesWithExtension: ext, subdirectory: subpath)
        return found?.map { $0 as URL }
    }

    /// Calls `urls(forResourcesWithExtension:subdirectory:)` under a name that Foundation does not have;
    /// ported sources use it.
    ///
    /// Without a type annotation, a call by the common name would resolve to Foundation's method.
    public func URLs(forResourcesWithExtension ext: String?, subdirectory subpath: String?) -> [URL]? {
        urls(forResourcesWithExtension: ext, subdirectory: subpath)
    }
}

extension NotificationCenter {
    /// Returns the notifications of a name and a sender that are posted after the iteration begins; nil
    /// stands for any sender.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// A sequence of notifications; observation ends with the iteration.
    public struct Notifications: AsyncSequence {
        /// A notification.
        public typealias Element = Notification

        let center: NotificationCenter
        let name: Notification.Name
        let object: AnyObject?

        /// Begins to observe.
        ///
        /// Notifications that are posted and not read yet are kept.
        public func makeAsyncIterator() -> AsyncStream<Notification>.Iterator {
            let (stream, continuation) = AsyncStream.makeStream(of: Notification.self)
            nonisolated(unsafe) let token = center.addObserver(forName: name, object: object, queue: nil) {
                nonisolated(unsafe) let notification = $0
                continuation.yield(notification)
            }
            continuation.onTermination = { [center] _ in center.removeObserver(token) }
            return stream.makeAsyncIterator()
        }
    }
}
