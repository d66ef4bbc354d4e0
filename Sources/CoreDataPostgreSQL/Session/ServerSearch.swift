import Foundation

/// A limited wait for a server that writes, while one takes over from another.
struct ServerSearch {
    private let deadline: ContinuousClock.Instant
    private var pause = 0.05

    /// - Parameter limit: The time after which the search ends.
    init(_ limit: Duration) { deadline = .now.advanced(by: limit) }

    /// Waits for a moment. Returns false if the time is over.
    mutating func goesOn() -> Bool {
        guard .now < deadline else { return false }
        Thread.sleep(forTimeInterval: pause)
        pause = min(2 * pause, 0.5)
        return true
    }
}
