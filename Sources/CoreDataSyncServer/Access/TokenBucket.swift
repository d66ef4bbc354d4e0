/// A budget that fills at a steady rate and may be spent at once.
package struct TokenBucket: Hashable, Sendable {
    private let capacity: Double
    /// What it gains in a second.
    private let rate: Double
    private var level: Double
    private var milliseconds: UInt64

    package init(capacity: Double, rate: Double, at milliseconds: UInt64) {
        self.capacity = capacity
        self.rate = rate
        level = capacity
        self.milliseconds = milliseconds
    }

    /// Takes something out. A cost above the capacity is taken from a full bucket, which is in debt then.
    ///
    /// - Returns: Nil, or the seconds until there is enough.
    package mutating func take(_ cost: Double, at now: UInt64) -> Double? {
        if now > milliseconds {
            level = min(capacity, level + Double(now - milliseconds) / 1000 * rate)
            milliseconds = now
        }
        let needed = min(cost, capacity)
        guard level >= needed else { return (needed - level) / rate }
        level -= cost
        return nil
    }

    /// Returns nil, or the seconds until there is enough, and takes nothing.
    package func wait(for cost: Double, at now: UInt64) -> Double? {
        var copy = self
        return copy.take(cost, at: now)
    }

    /// Whether it is as full as it was at first, so that nothing is lost if it is made anew.
    package func isFull(at now: UInt64) -> Bool {
        level + Double(now - min(now, milliseconds)) / 1000 * rate >= capacity
    }
}
