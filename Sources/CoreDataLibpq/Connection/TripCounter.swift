import Synchronization

/// A count of the round trips to servers that a task or thread makes, of whatever connection.
package final class TripCounter: Sendable {
    @TaskLocal package static var current: TripCounter?

    private let trips = Atomic<Int>(0)

    package init() {}

    /// The trips so far.
    package var count: Int { trips.load(ordering: .relaxed) }

    func note() { trips.add(1, ordering: .relaxed) }

    /// Counts the trips of a body.
    package static func count(_ body: () throws -> Void) rethrows -> Int {
        let counter = TripCounter()
        try $current.withValue(counter) { try body() }
        return counter.count
    }
}
