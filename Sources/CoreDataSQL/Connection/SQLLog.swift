import Synchronization

/// Where executed statements are reported: one sink for the process, off by default.
package enum SQLLog {
    /// One executed statement.
    package struct Entry: Sendable {
        package let sql: String
        /// Bound values, as far as the driver could still name them.
        package let bindings: [SQLValue]
        /// From the first step to the reset.
        package let nanoseconds: UInt64

        package init(sql: String, bindings: [SQLValue], nanoseconds: UInt64) {
            self.sql = sql
            self.bindings = bindings
            self.nanoseconds = nanoseconds
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
