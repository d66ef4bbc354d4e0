package import Foundation

/// The name of a transaction in its database, by which it can be found out later whether it was committed.
package struct CommitMark: Sendable, Hashable {
    package let id: UUID
    /// The time at which the transaction began, or shortly after.
    package let time: ContinuousClock.Instant

    package init(id: UUID) {
        self.id = id
        time = .now
    }
}
