/// Why a cycle did not come to its end. It is tried again.
public struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the transport or the store said.
    public let reason: String

    /// Returns the failure of a store that is an older copy, until the app has decided about its objects.
    static func undecided(objects count: Int) -> SyncFailure {
        SyncFailure(reason: "the app has to decide about \(count) objects")
    }

    /// The reason in a sentence.
    public var description: String { "The store was not synced: \(reason)" }
}
