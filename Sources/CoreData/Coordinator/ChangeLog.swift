/// The latest changed rows of a store, in the order of their changes.
struct ChangeLog {
    struct Change: Hashable {
        let root: Int
        let key: Int64
    }

    enum Changed {
        case some(Set<Change>)
        /// Too many rows to know them one by one.
        case any

        func contains(_ change: Change) -> Bool {
            switch self {
            case .some(let changes): !changes.isEmpty && changes.contains(change)
            case .any: true
            }
        }
    }

    /// How many changes are kept. If more happen during a read, all rows that it read count as outdated.
    private static let capacity = 8192
    /// Change number n lies at n modulo the capacity.
    private var changes: ContiguousArray<Change> = []
    /// How many changes of rows there have been.
    private(set) var changeCount: UInt64 = 0
    /// The number of the first change that is kept.
    private var horizon: UInt64 = 0

    mutating func note(_ root: Int, _ key: Int64) {
        let index = Int(truncatingIfNeeded: changeCount) % Self.capacity
        if index < changes.count {
            changes[index] = Change(root: root, key: key)
        } else {
            changes.append(Change(root: root, key: key))
        }
        changeCount += 1
        if changeCount - horizon > UInt64(Self.capacity) { horizon = changeCount - UInt64(Self.capacity) }
    }

    mutating func noteAll() {
        changeCount += UInt64(Self.capacity) - changeCount % UInt64(Self.capacity)
        changes.removeAll(keepingCapacity: true)
        horizon = changeCount
    }

    /// Returns the rows that may have changed since a read began.
    func changes(since read: UInt64) -> Changed {
        if read >= changeCount { return .some([]) }
        if read < horizon { return .any }
        return .some(Set((read..<changeCount).map { changes[Int(truncatingIfNeeded: $0) % Self.capacity] }))
    }
}
