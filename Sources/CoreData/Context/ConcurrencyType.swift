extension NSManagedObjectContext {
    /// How a context is used across threads, in Swift's spelling.
    public struct ConcurrencyType: Hashable, RawRepresentable, Sendable {
        public let rawValue: NSManagedObjectContextConcurrencyType
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }

        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    /// When a block given to `perform` runs.
    public enum ScheduledTaskType: Sendable {
        /// At once if the caller is on the context's queue already.
        case immediate
        case enqueued
    }
}

/// How a context is used across threads.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    case confinementConcurrencyType = 0
    case privateQueueConcurrencyType = 1
    case mainQueueConcurrencyType = 2
}
