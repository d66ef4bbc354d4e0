/// The digest of a zone: the XOR of the digests of its items, in 256 buckets by the hash of their keys, so
/// that two copies find where they differ.
///
/// Objects that are deleted, and pairs that are absent, do not count: a server forgets them, and a new
/// replica never hears of them.
package struct ZoneDigest: Hashable, Sendable {
    package static let buckets = 256
    package private(set) var buckets: [UInt64]

    package init() {
        buckets = [UInt64](repeating: 0, count: Self.buckets)
    }

    /// Makes a digest of the words of its buckets; nil if there is another number of them.
    init?(buckets: [UInt64]) {
        guard buckets.count == Self.buckets else { return nil }
        self.buckets = buckets
    }

    /// Puts an item in, or takes one out that is in.
    package mutating func toggle(_ key: ItemKey, _ state: ItemState) {
        guard state.counts(as: key) else { return }
        buckets[Self.bucket(of: key)] ^= state.digest(of: key)
    }

    package static func bucket(of key: ItemKey) -> Int {
        Int(key.stableHash >> 56)
    }

    package var whole: UInt64 { buckets.reduce(0, ^) }
}

extension ItemState {
    /// Whether an item is there for everybody: a living object, the way to one, or a present pair.
    package func counts(as key: ItemKey) -> Bool {
        if case .pair = key { isPresent } else { isAlive || alias != nil }
    }
}
