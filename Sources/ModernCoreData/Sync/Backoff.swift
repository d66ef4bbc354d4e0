import CoreData

/// How long to wait after failures in a row: `first`, then `factor` times as long each time, up to `limit`.
public struct Backoff: Sendable, Equatable {
    public var first: Duration
    public var factor: Double
    public var limit: Duration

    /// A second, two, four, and so on, up to five minutes.
    public init(first: Duration = .seconds(1), factor: Double = 2, limit: Duration = .seconds(300)) {
        self.first = first
        self.factor = factor
        self.limit = limit
    }

    public func delay(afterFailures count: Int) -> Duration {
        guard count > 0 else { return .zero }
        // The power may be infinite, the quotient never is.
        let growth = pow(factor, Double(count - 1))
        return growth < limit / first ? first * growth : limit
    }
}
