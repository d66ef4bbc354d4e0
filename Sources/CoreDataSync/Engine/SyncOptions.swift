public import Foundation
internal import CoreDataSyncCore

/// How a store is synced.
public struct SyncOptions: Sendable {
    /// The way to the server.
    public var transport: any SyncTransport
    /// The file of the ledger; beside the store unless set: `Library.sqlite` has `Library.sync.sqlite`.
    public var ledgerURL: URL?
    /// How long edits are collected before they are sent, in seconds.
    public var debounce: TimeInterval = 0.3
    /// How long nothing is asked without news, in seconds.
    public var pollInterval: TimeInterval = 60
    /// How long an answer of the server may take, in seconds.
    public var timeout: TimeInterval = 30
    /// The longest pause after failures, in seconds.
    public var longestRetryInterval: TimeInterval = 60

    /// Makes options with a way to the server.
    public init(transport: any SyncTransport) {
        self.transport = transport
    }

    var settings: SyncMachine<TrackedLedger>.Settings {
        var settings = SyncMachine<TrackedLedger>.Settings()
        settings.debounce = Self.milliseconds(debounce)
        settings.poll = Self.milliseconds(pollInterval)
        settings.timeout = Self.milliseconds(timeout)
        settings.longestRetry = Self.milliseconds(longestRetryInterval)
        return settings
    }

    private static func milliseconds(_ seconds: TimeInterval) -> UInt64 {
        UInt64(exactly: (max(0, min(seconds, 1e9)) * 1000).rounded()) ?? 0
    }
}
