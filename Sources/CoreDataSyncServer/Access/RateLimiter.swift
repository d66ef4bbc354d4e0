import Synchronization

/// The budgets of all users, and those of addresses from which wrong tokens come.
package final class RateLimiter: Sendable {
    package enum Resource: Hashable, Sendable, CaseIterable {
        case requests, changes, bytes
        /// Requests without a valid token, which have no user; they are counted by address.
        case failures
    }

    private struct Key: Hashable {
        let user: String
        let resource: Resource
    }

    /// The budgets that are remembered before full ones are forgotten.
    private static let most = 10_000

    private let rates: [Resource: Double]
    private let buckets = Mutex<[Key: TokenBucket]>([:])
    private let now: @Sendable () -> UInt64

    package init(_ limits: ServiceLimits, now: @escaping @Sendable () -> UInt64 = SyncService.present) {
        rates = [
            .requests: limits.requestsPerSecond, .changes: limits.changesPerSecond,
            .bytes: limits.bytesPerSecond, .failures: limits.failuresPerSecond,
        ]
        self.now = now
    }

    /// Checks that a budget is not used up, and takes nothing from it.
    ///
    /// - Throws: `ServiceError.tooOften` if it is.
    package func check(_ resource: Resource, for user: String) throws(ServiceError) {
        let (now, key) = (now(), Key(user: user, resource: resource))
        let wait = buckets.withLock { $0[key]?.wait(for: 1, at: now) }
        if let wait = wait ?? nil { throw ServiceError.tooOften(seconds: Int(wait.rounded(.up))) }
    }

    /// Takes from a user's budget.
    ///
    /// - Throws: `ServiceError.tooOften` if there is not enough.
    package func take(_ cost: Int, of resource: Resource, for user: String) throws(ServiceError) {
        guard let rate = rates[resource], rate > 0 else { return }
        let (now, key) = (now(), Key(user: user, resource: resource))
        let wait = buckets.withLock { buckets -> Double? in
            if buckets.count > Self.most { buckets = buckets.filter { !$0.value.isFull(at: now) } }
            return buckets[key, default: TokenBucket(capacity: rate * 10, rate: rate, at: now)]
                .take(Double(cost), at: now)
        }
        if let wait { throw ServiceError.tooOften(seconds: Int(wait.rounded(.up))) }
    }
}
