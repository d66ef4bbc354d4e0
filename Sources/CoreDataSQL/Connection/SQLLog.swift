import Synchronization

/// Where executed statements are reported: one sink for the process, off by default.
package enum SQLLog {
    /// One executed statement.
    package struct Entry: Sendable {
        /// The database: a file.
        package let path: String
        /// The text, with placeholders.
        package let sql: String
        /// The text with the bound values in it, where the driver has it.
        package let expandedSQL: String?
        /// From the first step to the reset.
        package let nanoseconds: UInt64

        package init(path: String, sql: String, expandedSQL: String?, duration: Duration) {
            self.path = path
            self.sql = sql
            self.expandedSQL = expandedSQL
            let parts = duration.components
            nanoseconds = UInt64(clamping: parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
        }
    }

    package typealias Sink = @Sendable (Entry) -> Void

    private static let active = Atomic<Bool>(false)
    private static let sink = Mutex<Sink?>(nil)

    /// Whether anybody listens: the only cost when nobody does.
    package static var isEnabled: Bool { active.load(ordering: .relaxed) }

    package static func setSink(_ new: Sink?) {
        sink.withLock { $0 = new }
        active.store(new != nil, ordering: .relaxed)
    }

    package static func report(_ entry: Entry) {
        sink.withLock { $0 }?(entry)
    }
}
