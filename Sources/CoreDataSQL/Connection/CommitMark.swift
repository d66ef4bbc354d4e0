package import Foundation

/// The name of a transaction in its database, by which it can be found out later whether it was committed.
///
/// It is a class for the sake of `SQLError`, which reads return: the size of an instant is not known when the
/// code is compiled, so an error that contained one would be slow to return.
package final class CommitMark: Sendable {
    package let id: UUID
    /// The time at which the transaction began, or shortly after.
    package let time: ContinuousClock.Instant

    package init(id: UUID) {
        self.id = id
        time = .now
    }
}
