extension NSManagedObjectContext {
    /// The queue that a context belongs to, in Swift's spelling.
    public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
        /// The type as `NSManagedObjectContext.concurrencyType` has it.
        public let rawValue: NSManagedObjectContextConcurrencyType
        /// Makes the Swift spelling of a concurrency type.
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        /// A queue of the context's own.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        /// The main queue; the context may be used on the main thread outside of blocks, too.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// When a block given to the asynchronous `perform` runs.
    public enum ScheduledTaskType: Sendable {
        /// At once if the caller is on the context's queue; otherwise as soon as the queue is free.
        case immediate
        /// After the blocks that the queue has already.
        case enqueued
    }
}

/// The queue that a context belongs to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: the app keeps the context to one thread at a time.
    case confinementConcurrencyType = 0
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}
