public import Foundation

extension NSPersistentCloudKitContainer {
    /// A kind of work.
    public enum EventType: Int, Sendable {
        /// Begins to sync.
        case setup = 0
        /// Reads what other devices have done.
        case `import` = 1
        /// Sends what was done here.
        case export = 2
    }

    /// A step of a store's synchronization. It never changes; its end is another event with the same
    /// identifier.
    public final class Event: NSObject, NSCopying, Sendable {
        /// The identifier, which beginning and end have in common.
        public let identifier: UUID
        /// The identifier of the store.
        public let storeIdentifier: String
        /// The kind of work.
        public let type: EventType
        /// When it began.
        public let startDate: Date
        /// When it ended; nil as long as it goes on.
        public let endDate: Date?
        /// Whether it has ended without an error.
        public let succeeded: Bool
        /// The error with which it has ended.
        public let error: (any Error)?

        init(_ type: EventType, of store: String) {
            identifier = UUID()
            storeIdentifier = store
            self.type = type
            startDate = Date()
            endDate = nil
            succeeded = false
            error = nil
        }

        private init(_ event: Event, error: (any Error)?) {
            identifier = event.identifier
            storeIdentifier = event.storeIdentifier
            type = event.type
            startDate = event.startDate
            endDate = Date()
            succeeded = error == nil
            self.error = error
        }

        /// Returns the event as it is once it has ended.
        func ended(with error: (any Error)?) -> Event { Event(self, error: error) }

        /// Returns the event itself.
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }
}
