internal import Foundation

/// Why a cycle did not come to its end. It is tried again.
public struct SyncFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the transport or the store said.
    public let reason: String

    /// Returns what an error says, in words that can be shown.
    static func reason(_ error: any Error) -> String {
        // Foundation's errors of connections describe themselves with all that they carry.
        let known = error as NSError
        return known.domain == NSURLErrorDomain ? known.localizedDescription : "\(error)"
    }

    /// Returns the failure of a store that is an older copy, until the app has decided about its objects.
    static func undecided(objects count: Int) -> SyncFailure {
        SyncFailure(reason: "the app has to decide about \(count) objects")
    }

    /// Returns the failure of a store that is synced with another zone, until the app has decided.
    static func elsewhere(_ zone: String) -> SyncFailure {
        SyncFailure(reason: "the store is synced with another zone than \(zone)")
    }

    /// Returns the failure of an app that is too old for the server.
    static func outdated(_ minimumVersion: String) -> SyncFailure {
        SyncFailure(reason: SyncOutdated(minimumVersion: minimumVersion).description)
    }

    /// The reason in a sentence.
    public var description: String { "The store was not synced: \(reason)" }
}
