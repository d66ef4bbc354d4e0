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
    package init?(buckets: [UInt64]) {
        guard buckets.count == Self.buckets else { return nil }
        self.buckets = buckets
    }

    /// Puts an item in, or takes one out that is in.
    package mutating func toggle(_ key: ItemKey, _ item: some DigestedItem) {
        guard item.counts(as: key) else { return }
        let hash = key.stableHash
        buckets[Self.bucket(ofHash: hash)] ^= item.digest(hash)
    }

    /// Takes one state of an item out, if there is one, and puts another one in.
    package mutating func replace<Item: DigestedItem>(_ key: ItemKey, _ old: Item?, by new: Item?) {
        let old = old.flatMap { $0.counts(as: key) ? $0 : nil }
        let new = new.flatMap { $0.counts(as: key) ? $0 : nil }
        guard old != nil || new != nil else { return }
        let hash = key.stableHash
        var change: UInt64 = 0
        if let old, let new, old.alias == new.alias, old.existence.length == new.existence.length {
            if old.alias == nil { change = Item.difference(hash, old.registers, new.registers) }
        } else {
            change = (old?.digest(hash) ?? 0) ^ (new?.digest(hash) ?? 0)
        }
        if change != 0 { buckets[Self.bucket(ofHash: hash)] ^= change }
    }

    package static func bucket(of key: ItemKey) -> Int {
        bucket(ofHash: key.stableHash)
    }

    private static func bucket(ofHash hash: UInt64) -> Int { Int(hash >> 56) }

    package var whole: UInt64 { buckets.reduce(0, ^) }
}

/// An item as a server or a device knows it, as far as digests depend on it.
package protocol DigestedItem {
    associatedtype Part: DigestedRegister
    var existence: Existence { get }
    var alias: SyncID? { get }
    var registers: [String: Part] { get }
    /// Whether a pair is there.
    var isPresent: Bool { get }
}

package protocol DigestedRegister: Equatable {
    /// Whether the register is the server's.
    var isDigested: Bool { get }
    /// A hash of whose writes the register is the merge.
    var fingerprint: UInt64 { get }
}

extension DigestedItem {
    /// Whether an item is there for everybody: a living object, the way to one, or a present pair.
    package func counts(as key: ItemKey) -> Bool {
        if case .pair = key { isPresent } else { existence.isAlive || alias != nil }
    }

    /// Returns the part of the digest that comes from the item, made of hashes of its key, its registers and
    /// their stamps. Parts are joined by XOR, so that the change of one register takes two operations.
    package func digest(of key: ItemKey) -> UInt64 { digest(key.stableHash) }

    fileprivate func digest(_ seed: UInt64) -> UInt64 {
        // Of a merged object only the way to the other one counts.
        if let alias { return Self.mixed(seed, "alias", alias.high ^ alias.low) }
        var result = Self.mixed(seed, "", UInt64(existence.length))
        for (name, register) in registers { result ^= Self.part(seed, name, register) }
        return result
    }

    fileprivate static func difference(
        _ seed: UInt64, _ old: [String: Part], _ new: [String: Part]
    ) -> UInt64 {
        var result: UInt64 = 0
        for (name, register) in new {
            let earlier = old[name]
            guard earlier != register else { continue }
            result ^= part(seed, name, register)
            if let earlier { result ^= part(seed, name, earlier) }
        }
        for (name, register) in old where new[name] == nil { result ^= part(seed, name, register) }
        return result
    }

    private static func part(_ seed: UInt64, _ name: String, _ register: Part) -> UInt64 {
        register.isDigested ? mixed(seed, name, register.fingerprint) : 0
    }

    private static func mixed(_ seed: UInt64, _ name: String, _ word: UInt64) -> UInt64 {
        var hash = CanonicalHash()
        hash.append(seed)
        hash.append(0, name)
        hash.append(word)
        return hash.value
    }
}
