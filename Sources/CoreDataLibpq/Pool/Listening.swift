package import CoreDataSQL

/// The channel and the poll of a listening connection, and the handler of its events.
package struct Listening: Sendable {
    package enum Event: Sendable, Hashable {
        /// A session has notified the channel.
        case notified(String)
        /// The poll has found a change, or the connection was lost for a while, and notifications may be lost
        /// with it.
        case changed
    }

    let channel: SQLIdentifier
    let interval: Duration
    let delay: Duration
    let poll: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Bool
    let handler: @Sendable (Event) -> Void

    /// Makes the description of a listening connection.
    ///
    /// - Parameters:
    ///   - channel: The channel's name in lower case, to which the server folds names in some places.
    ///   - interval: The time between two polls. Polls find changes without a notification: on replicas,
    ///     which refuse to listen, behind poolers, and if the notifying process died after its commit.
    ///   - delay: The time for which equal notifications wait for each other, to be sent as one.
    ///   - poll: Asks the database whether something has changed. It is called on the listening thread, the
    ///     first time when the connection is listening.
    ///   - handler: Is called on one thread at a time, and not after the listener is closed.
    package init(
        channel: SQLIdentifier, every interval: Duration, gathering delay: Duration = .zero,
        poll: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Bool,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        precondition(channel.name == channel.name.lowercased())
        self.channel = channel
        self.interval = interval
        self.delay = delay
        self.poll = poll
        self.handler = handler
    }
}
