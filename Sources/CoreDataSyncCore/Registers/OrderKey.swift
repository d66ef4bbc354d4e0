/// A place in an ordered relationship: a string of bytes whose order is the order of the members, and between
/// any two of which there is a third.
///
/// The first byte says how many bytes of a whole number follow, so that a key at either end is short however
/// many members there are. The bytes behind the number are a fraction. Two bytes of the replica end
/// each key, so that two replicas never make the same one.
package struct OrderKey: Hashable, Comparable, Sendable {
    package let bytes: [UInt8]

    /// Makes a key from bytes that another replica sent; nil if they are no key.
    package init?(bytes: [UInt8]) {
        guard let first = bytes.first, Self.firstBytes.contains(first), bytes.last != 0,
            bytes.count > Self.length(of: first) + 1
        else { return nil }
        self.bytes = bytes
    }

    private init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func < (first: OrderKey, second: OrderKey) -> Bool {
        first.bytes.lexicographicallyPrecedes(second.bytes)
    }

    /// The length above which a server rewrites the keys of an owner.
    package static let longest = 64

    /// Returns a key between two others, or beyond one of them.
    package static func between(
        _ low: OrderKey?, and high: OrderKey?, by replica: ReplicaID
    ) -> OrderKey {
        let bytes =
            switch (low, high) {
            case (nil, nil): [middle, 0]
            case (let low?, nil): number(after: low.whole) ?? midpoint(low.bytes, nil)
            case (nil, let high?): number(before: high.whole) ?? midpoint(Array(high.whole), high.bytes)
            case (let low?, let high?): midpoint(low.bytes, high.bytes)
            }
        return OrderKey(checked: bytes + ending(of: replica))
    }

    /// Returns keys for so many members, in their order.
    package static func keys(
        _ count: Int, after low: OrderKey?, before high: OrderKey?, by replica: ReplicaID
    ) -> [OrderKey] {
        guard count > 0 else { return [] }
        if let high {
            // Halving keeps the keys short.
            let half = between(low, and: high, by: replica)
            return keys(count / 2, after: low, before: half, by: replica) + [half]
                + keys(count - 1 - count / 2, after: half, before: high, by: replica)
        }
        var result: [OrderKey] = []
        for _ in 0..<count { result.append(between(result.last ?? low, and: nil, by: replica)) }
        return result
    }

    // MARK: Whole numbers

    /// First bytes above this one are followed by a number that rises, those below by one that falls as it
    /// gets longer.
    private static let middle: UInt8 = 128
    /// Numbers of up to eight bytes. Only a forged key can be at an end of them; then fractions take over.
    private static let firstBytes: ClosedRange<UInt8> = 121...135

    /// Returns how many bytes of a number follow a first byte.
    private static func length(of first: UInt8) -> Int {
        first >= middle ? Int(first - middle) + 1 : Int(middle - first)
    }

    private var whole: ArraySlice<UInt8> { bytes[0..<Self.length(of: bytes[0]) + 1] }

    private static func number(after whole: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes = Array(whole)
        for index in bytes.indices.dropFirst().reversed() {
            if bytes[index] < 255 {
                bytes[index] += 1
                return bytes
            }
            bytes[index] = 0
        }
        let first = bytes[0] + 1
        guard firstBytes.contains(first) else { return nil }
        return [first] + [UInt8](repeating: 0, count: length(of: first))
    }

    private static func number(before whole: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes = Array(whole)
        for index in bytes.indices.dropFirst().reversed() {
            if bytes[index] > 0 {
                bytes[index] -= 1
                return bytes
            }
            bytes[index] = 255
        }
        let first = bytes[0] - 1
        guard firstBytes.contains(first) else { return nil }
        return [first] + [UInt8](repeating: 255, count: length(of: first))
    }

    // MARK: Fractions

    /// Returns bytes above `low` and below `high`, to which any ending may be added.
    private static func midpoint(_ low: [UInt8], _ high: [UInt8]?) -> [UInt8] {
        var result: [UInt8] = []
        var ceilings = high
        while true {
            let index = result.count
            let floor = index < low.count ? Int(low[index]) : 0
            let ceiling = ceilings.map { index < $0.count ? Int($0[index]) : 256 } ?? 256
            if ceiling - floor > 1 {
                result.append(UInt8(floor + (ceiling - floor) / 2))
                break
            }
            result.append(UInt8(floor))
            if ceiling > floor { ceilings = nil }
        }
        let missing = length(of: result[0]) + 1 - result.count
        return result + [UInt8](repeating: 0, count: max(0, missing))
    }

    private static func ending(of replica: ReplicaID) -> [UInt8] {
        // Zero is no last byte: nothing lies between a key and itself with a zero behind.
        [UInt8(truncatingIfNeeded: replica.low >> 8), max(1, UInt8(truncatingIfNeeded: replica.low))]
    }
}
