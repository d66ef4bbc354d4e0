/// The order in which a hash table of Core Foundation yields names (history-columns §3).
///
/// Apple's framework lists to-many relationships in this order. The hash function and the sizes of the tables
/// are published.
enum HashOrder {
    /// Sorts names by the slots they take in a table: each its own slot, or the next one that is free (linear
    /// probing).
    ///
    /// - Parameters:
    ///   - names: The names in the order in which they are inserted.
    ///   - count: The number of all keys in the table, of which only these names matter here.
    static func sorted(_ names: [String], tableOf count: Int) -> [String] {
        let size = sizes.first { $0.capacity >= max(count, names.count) }?.size ?? 2 * count
        var slots = [String?](repeating: nil, count: size)
        for name in names {
            var slot = Int(hash(name) % UInt64(size))
            while slots[slot] != nil { slot = (slot + 1) % size }
            slots[slot] = name
        }
        return slots.compactMap(\.self)
    }

    // MARK: Core Foundation's numbers

    /// A table grows to the next size when it holds more than the capacity of the last.
    private static let sizes: [(size: Int, capacity: Int)] = [
        (3, 3), (7, 6), (13, 11), (23, 19), (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237),
        (631, 390), (1087, 672), (1723, 1065), (2803, 1732), (4523, 2795), (7351, 4543), (11959, 7391),
    ]

    /// The greatest length of names that are hashed as a whole; of longer ones only the beginning, the middle
    /// and the end count.
    private static let longestWhole = 96
    private static let part = 32

    static func hash(_ name: String) -> UInt64 {
        let units = name.utf16.map(UInt64.init)
        var hash = UInt64(units.count)
        if units.count <= longestWhole {
            add(units[...], to: &hash)
        } else {
            let middle = units.count / 2 - part / 2
            add(units.prefix(part), to: &hash)
            add(units[middle..<middle + part], to: &hash)
            add(units.suffix(part), to: &hash)
        }
        return hash &+ hash << UInt64(units.count % 32)
    }

    private static func add(_ units: ArraySlice<UInt64>, to hash: inout UInt64) {
        var rest = units
        while rest.count >= 4 {
            let four = Array(rest.prefix(4))
            hash =
                hash &* 67_503_105 &+ four[0] &* 16_974_593 &+ four[1] &* 66_049 &+ four[2] &* 257 &+ four[3]
            rest = rest.dropFirst(4)
        }
        for unit in rest { hash = hash &* 257 &+ unit }
    }
}
