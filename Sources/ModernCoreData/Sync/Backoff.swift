import CoreData

/// The time to wait after successive failures: `first`, then `factor` times as long each time, up to `limit`.
public struct Backoff: Sendable, Equatable {
    /// The time to wait after the first failure.
    public var first: Duration
    /// The factor by which the time grows with each further failure.
    public var factor: Double
    /// The longest time to wait.
    public var limit: Duration

    /// Makes a backoff. The default is one second, two, four, and so on, up to five minutes.
    public init(first: Duration = .seconds(1), factor: Double = 2, limit: Duration = .seconds(300)) {
        self.first = first
        self.factor = factor
        self.limit = limit
    }

    /// Returns the time to wait after a number of successive failures; zero after none.
    public func delay(afterFailures count: Int) -> Duration {
        guard count > 0 else { return .zero }
        // The power may be infinite, but the quotient is always finite.
        let growth = pow(factor, Double(count - 1))
        return growth < limit / first ? first * growth : limit
    }
}
