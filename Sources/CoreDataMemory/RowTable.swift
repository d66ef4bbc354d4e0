import CoreDataStore

/// The rows of one inheritance tree, in the order of their keys.
struct RowTable {
    private var rows: [Int64: Snapshot] = [:]
    /// The keys in ascending order. Keys of removed rows stay until they outnumber the others.
    private var order: [Int64] = []

    subscript(key: Int64) -> Snapshot? { rows[key] }

    var all: some Sequence<Snapshot> { order.lazy.compactMap { rows[$0] } }

    mutating func set(_ row: Snapshot) {
        guard rows.updateValue(row, forKey: row.key) == nil else { return }
        if let last = order.last, last >= row.key {
            let index = index(of: row.key)
            // The key may still be in the list if the row was removed before.
            if index == order.count || order[index] != row.key { order.insert(row.key, at: index) }
        } else {
            order.append(row.key)
        }
    }

    @discardableResult
    mutating func remove(_ key: Int64) -> Snapshot? {
        guard let row = rows.removeValue(forKey: key) else { return nil }
        if order.count > 2 * rows.count + 16 { order.removeAll { rows[$0] == nil } }
        return row
    }

    /// Returns the index of the first key that is not smaller.
    private func index(of key: Int64) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
