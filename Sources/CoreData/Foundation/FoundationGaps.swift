public import Foundation

// Members that Foundation and Dispatch have on Apple's systems, that model layers use, and that they lack on
// Linux.

public let NSEC_PER_SEC: UInt64 = 1_000_000_000
public let NSEC_PER_MSEC: UInt64 = 1_000_000
public let NSEC_PER_USEC: UInt64 = 1000
public let USEC_PER_SEC: UInt64 = 1_000_000

extension FileManager {
    /// Nil: nobody is signed in to iCloud.
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? { nil }
}

/// Lets members that Foundation declares in another form be overloaded.
public protocol FoundationOverloading {}

extension NSObject: FoundationOverloading {}

extension FoundationOverloading where Self: NSObject {
    public static func classForCoder() -> AnyClass { self }
}

extension FoundationOverloading where Self: Bundle {
    /// URLs, where Foundation on Linux hands out `NSURL`s.
    public func urls(forResourcesWithExtension ext: String?, subdirectory subpath: String?) -> [URL]? {
        let found: [NSURL]? = urls(forResourcesWithExtension: ext, subdirectory: subpath)
        return found?.map { $0 as URL }
    }

    /// What ported sources call, so that nothing of Foundation's has the name: the compiler takes that one
    /// where nothing around the call says which type it needs.
    public func URLs(forResourcesWithExtension ext: String?, subdirectory subpath: String?) -> [URL]? {
        urls(forResourcesWithExtension: ext, subdirectory: subpath)
    }
}

extension NotificationCenter {
    /// The notifications of a name that are posted from now on.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// Notifications one after the other; observing ends with the iteration.
    public struct Notifications: AsyncSequence {
        public typealias Element = Notification

        let center: NotificationCenter
        let name: Notification.Name
        let object: AnyObject?

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
