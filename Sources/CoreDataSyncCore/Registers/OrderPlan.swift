/// Chooses new order keys for members that were moved or inserted.
package enum OrderPlan {
    /// Returns the keys that must be written so that the members stand in this order.
    ///
    /// A longest run of members whose keys rise already keeps them, so that a move writes one key.
    package static func changes<Member: Hashable>(
        members: [Member], current: [Member: OrderKey], by replica: ReplicaID
    ) -> [Member: OrderKey] {
        let kept = longestRising(members, current)
        var result: [Member: OrderKey] = [:]
        var previous: OrderKey?
        var index = 0
        while index < members.count {
            if let key = kept[members[index]] {
                previous = key
                index += 1
                continue
            }
            let end = members[index...].firstIndex { kept[$0] != nil } ?? members.count
            let next = end < members.count ? kept[members[end]] : nil
            let keys = OrderKey.keys(end - index, after: previous, before: next, by: replica)
            for (member, key) in zip(members[index..<end], keys) { result[member] = key }
            previous = keys.last
            index = end
        }
        return result
    }

    /// Returns the longest subsequence of the members whose keys rise strictly.
    private static func longestRising<Member: Hashable>(
        _ members: [Member], _ current: [Member: OrderKey]
    ) -> [Member: OrderKey] {
        let entries = members.compactMap { member in current[member].map { (member, key: $0) } }
        // The index of the entry that ends the best run of each length, and what stands before each entry.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: entries.count)
        for (index, entry) in entries.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[ends[middle]].key < entry.key { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Member: OrderKey] = [:]
        var last = ends.last
        while let index = last {
            result[entries[index].0] = entries[index].key
            last = before[index]
        }
        return result
    }
}
