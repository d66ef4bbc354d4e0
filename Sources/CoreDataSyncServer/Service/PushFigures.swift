package import CoreDataSyncCore

/// What a push has taken, and what it has decided.
package struct PushFigures: Hashable, Sendable {
    /// How long it waited for the database, and how long its transaction took until it was durable.
    package var waited: Duration
    package var lasted: Duration
    /// How many values have lost, by the rule by which they did.
    package var losses: [LostValue.Reason: Int]
}

/// What comes of a push.
package struct PushResult: Sendable {
    package var response: SyncResponse
    /// Where the zone stands, if that has changed.
    package var head: ZoneHeader?
    package var losses: [LostValue.Reason: Int] = [:]
    /// By how much what the zone has weighs more (`ZoneRow.weight`).
    package var growth = 0
}
