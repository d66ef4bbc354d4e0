public import Foundation

/// What a synchronizer is doing.
public enum SyncStatus: Hashable, Sendable {
    /// Looks for edits, or whether there is something to write.
    case working
    /// Sends edits; so many wait.
    case pushing(pending: Int)
    /// Asks for what other devices have done. So many items - objects, and pairs of many-to-many relationships - were
    /// received since the last import; in the first sync of all that there are about, else nil.
    case pulling(received: Int, of: Int?)
    /// Writes so many received objects into the store.
    case importing(objects: Int)
    /// The store has what the server had at that time, and the server has what the store has.
    case upToDate(at: Date)
    /// The store is an older copy, and so many of its objects are none of the server's. Nothing is synced
    /// before `StoreSynchronizer.resolveUnknownObjects(_:)`.
    case needsDecision(objects: Int)
    /// The way leads to that zone, which is not the one that the store is synced with: another user has logged in,
    /// or the app names another zone. Nothing is synced before `StoreSynchronizer.resolve(_:)`, or before the way
    /// leads back.
    case elsewhere(zone: String)
    /// The server wants at least that version of the app. Edits wait, and it is asked again now and then.
    case outdated(minimumVersion: String)
    /// Something went wrong, and is tried again then.
    case waiting(until: Date, reason: String)
    /// Nothing is synced; the reason is nil if the app stopped it.
    case stopped(reason: String?)
}
