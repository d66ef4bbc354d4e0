import CoreDataStore

/// Positions in ordered relationships (sqlite-store §7): strictly increasing integers, 2048 first, 1024
/// apart, a midpoint between neighbours, all renumbered when a gap is used up.
package enum OrderKeys {
    package static let first: Int64 = 2048
    package static let step: Int64 = 1024

    /// Returns the positions that must be written so that `members` stand in this order, given the positions
    /// they have.
    package static func changes(members: [Int64], current: [Int64: Int64]) -> [Int64: Int64] {
        let kept = longestIncreasing(members.compactMap { key in current[key].map { (key, $0) } })
        var result: [Int64: Int64] = [:]
        var previous: Int64?
        var index = 0
        while index < members.count {
            if let position = kept[members[index]] {
                previous = position
                index += 1
                continue
            }
            let end = members[index...].firstIndex { kept[$0] != nil } ?? members.count
            let next = end < members.count ? kept[members[end]] : nil
            guard let positions = positions(end - index, between: previous, and: next) else {
                return renumbered(members, current)
            }
            for (key, position) in zip(members[index..<end], positions) { result[key] = position }
            previous = positions.last
            index = end
        }
        return result
    }

    /// Returns the members that can keep their positions: a longest increasing subsequence, so that a move
    /// writes one row.
    private static func longestIncreasing(_ entries: [(key: Int64, position: Int64)]) -> [Int64: Int64] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: entries.count)
        for (index, entry) in entries.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[tails[middle]].position < entry.position {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var result: [Int64: Int64] = [:]
        var index = tails.last ?? -1
        while index >= 0 {
            result[entries[index].key] = entries[index].position
            index = previous[index]
        }
        return result
    }

    /// Returns `count` positions between two neighbours; nil if there is no room.
    private static func positions(_ count: Int, between low: Int64?, and high: Int64?) -> [Int64]? {
        guard let high else {
            let last = low ?? first - step
            guard last < .max - Int64(count) * step else { return nil }
            return (1...Int64(count)).map { last + $0 * step }
        }
        let low = low ?? 0
        let (distance, isTooFar) = high.subtractingReportingOverflow(low)
        let gap = distance / Int64(count + 1)
        guard gap > 0, !isTooFar else { return nil }
        return (1...Int64(count)).map { low + $0 * gap }
    }

    private static func renumbered(_ members: [Int64], _ current: [Int64: Int64]) -> [Int64: Int64] {
        var result: [Int64: Int64] = [:]
        for (index, key) in members.enumerated() {
            let position = first + Int64(index) * step
            if current[key] != position { result[key] = position }
        }
        return result
    }
}
