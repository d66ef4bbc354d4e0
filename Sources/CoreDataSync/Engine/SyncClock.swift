internal import CoreDataSyncCore
internal import Foundation

/// The clocks of a device.
struct SyncClock: Sendable {
    private let start = ContinuousClock.now

    var now: Moment {
        let wall = max(0, (Date().timeIntervalSince1970 * 1000).rounded(.down))
        return Moment(wall: UInt64(exactly: wall) ?? 0, uptime: uptime)
    }

    private var uptime: UInt64 {
        let parts = (ContinuousClock.now - start).components
        return UInt64(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
    }

    /// Returns when by the wall clock a time by the other clock will be.
    func date(of uptime: UInt64) -> Date {
        Date(timeIntervalSinceNow: (Double(uptime) - Double(self.uptime)) / 1000)
    }

    /// Waits for a time by the clock that only rises.
    func sleep(until uptime: UInt64) async throws {
        try await Task.sleep(until: start.advanced(by: .milliseconds(uptime)), clock: .continuous)
    }
}
