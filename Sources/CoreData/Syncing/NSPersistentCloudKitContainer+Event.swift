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
        /// How many edits an export sends, or objects an import writes; zero as long as that is not known.
        ///
        /// An addition to Apple's properties.
        public let totalCount: Int
        /// How many of them are done.
        ///
        /// An addition to Apple's properties.
        public let completedCount: Int

        init(_ type: EventType, of store: String) {
            identifier = UUID()
            storeIdentifier = store
            self.type = type
            startDate = Date()
            endDate = nil
            succeeded = false
            error = nil
            (totalCount, completedCount) = (0, 0)
        }

        private init(_ event: Event, completed: Int, of total: Int, end: (date: Date, error: (any Error)?)?) {
            identifier = event.identifier
            storeIdentifier = event.storeIdentifier
            type = event.type
            startDate = event.startDate
            endDate = end?.date
            error = end?.error
            succeeded = end.map { $0.error == nil } ?? false
            (totalCount, completedCount) = (total, completed)
        }

        /// Returns the event as it is if so much is left to be done, or is known to be done at all.
        func counted(left: Int) -> Event {
            let total = max(totalCount, completedCount + left)
            return Event(self, completed: total - left, of: total, end: nil)
        }

        /// Returns the event as it is once it has ended.
        func ended(with error: (any Error)?) -> Event {
            let completed = error == nil ? totalCount : completedCount
            return Event(self, completed: completed, of: totalCount, end: (Date(), error))
        }

        /// Returns the event itself.
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }
}
