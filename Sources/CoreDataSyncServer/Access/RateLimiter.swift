import Synchronization

/// The budgets of all users: requests, changes and bytes.
package final class RateLimiter: Sendable {
    package enum Resource: Hashable, Sendable, CaseIterable {
        case requests, changes, bytes
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
            .bytes: limits.bytesPerSecond,
        ]
        self.now = now
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
