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
    let poll: @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Bool
    let handler: @Sendable (Event) -> Void

    /// Makes the description of a listening connection.
    ///
    /// - Parameters:
    ///   - channel: The channel's name in lower case, to which the server folds names in some places.
    ///   - interval: The time between two polls. Polls find changes without a notification: on replicas,
    ///     which refuse to listen, and if the notifying process died after its commit.
    ///   - poll: Asks the database whether something has changed.
    ///   - handler: Is called on the listening thread. It must not close the pool.
    package init(
        channel: SQLIdentifier, every interval: Duration,
        poll: @escaping @Sendable (PostgreSQLConnection) throws(PostgreSQLError) -> Bool,
        handler: @escaping @Sendable (Event) -> Void
    ) {
        precondition(channel.name == channel.name.lowercased())
        self.channel = channel
        self.interval = interval
        self.poll = poll
        self.handler = handler
    }
}
