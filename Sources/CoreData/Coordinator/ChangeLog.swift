/// Which rows of a store changed last, in the order in which they did.
struct ChangeLog {
    struct Change: Hashable {
        let root: Int
        let key: Int64
    }

    enum Changed {
        case some(Set<Change>)
        /// Too many to know them one by one.
        case any

        func contains(_ change: Change) -> Bool {
            switch self {
            case .some(let changes): !changes.isEmpty && changes.contains(change)
            case .any: true
            }
        }
    }

    /// Who reads for longer is taken to have read old rows only.
    private static let capacity = 8192
    /// The change that came as number n lies at n modulo the capacity.
    private var changes: ContiguousArray<Change> = []
    /// How many changes of rows there were.
    private(set) var moment: UInt64 = 0
    /// Changes before are not known one by one.
    private var horizon: UInt64 = 0

    mutating func note(_ root: Int, _ key: Int64) {
        let place = Int(truncatingIfNeeded: moment) % Self.capacity
        if place < changes.count {
            changes[place] = Change(root: root, key: key)
        } else {
            changes.append(Change(root: root, key: key))
        }
        moment += 1
        if moment - horizon > UInt64(Self.capacity) { horizon = moment - UInt64(Self.capacity) }
    }

    mutating func noteAll() {
        moment += UInt64(Self.capacity) - moment % UInt64(Self.capacity)
        changes.removeAll(keepingCapacity: true)
        horizon = moment
    }

    /// What may be old of what was read at a moment.
    func changes(since read: UInt64) -> Changed {
        if read >= moment { return .some([]) }
        if read < horizon { return .any }
        return .some(Set((read..<moment).map { changes[Int(truncatingIfNeeded: $0) % Self.capacity] }))
    }
}
