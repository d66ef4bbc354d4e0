/// Changes that wait to be pushed, in the order of their numbers, found by what they write.
package struct PendingChanges: Hashable, Sendable {
    package private(set) var changes: [PendingChange] = []
    /// The index of the last change of each register. It counts from the first change ever, so that it stays
    /// the same when changes are taken from the front.
    private var places: [Target: Int] = [:]
    /// How many changes were taken from the front.
    private var taken = 0

    private struct Target: Hashable {
        var item: ItemKey
        /// Nil for the existence of the item.
        var register: String?

        init(_ change: Change) { self.init(change.item, change.register) }

        init(_ item: ItemKey, _ register: String?) {
            self.item = item
            self.register = register
        }
    }

    package init(_ changes: [PendingChange] = []) {
        for change in changes { append(change) }
    }

    package var isEmpty: Bool { changes.isEmpty }

    package mutating func append(_ change: PendingChange) {
        places[Target(change.change)] = taken + changes.count
        changes.append(change)
    }

    /// Takes changes from the front, at most so many, and no more than fit into so many bytes of a message.
    /// One is taken whatever it has.
    package mutating func takeFirst(_ count: Int, bytes: Int = .max) -> [PendingChange] {
        let first = Array(changes.prefix(fitting(count, into: bytes)))
        changes.removeFirst(first.count)
        for (index, change) in first.enumerated() where places[Target(change.change)] == taken + index {
            places[Target(change.change)] = nil
        }
        taken += first.count
        return first
    }

    /// Returns how many of the first changes fit. They are measured only where not all are certain to.
    private func fitting(_ count: Int, into bytes: Int) -> Int {
        let candidates = changes.prefix(count)
        guard bytes < .max, candidates.reduce(0, { $0 + $1.change.byteBound }) > bytes else {
            return candidates.count
        }
        var room = bytes
        for (index, change) in candidates.enumerated() {
            room -= change.change.byteCount
            if room < 0 { return max(1, index) }
        }
        return candidates.count
    }

    package mutating func removeAll(of items: Set<ItemKey>) {
        guard !items.isEmpty else { return }
        self = PendingChanges(changes.filter { !items.contains($0.change.item) })
    }

    /// The last change of a register, or of the existence of an item. It may be replaced by one of the same.
    package subscript(_ item: ItemKey, _ register: String?) -> PendingChange? {
        get { place(item, register).map { changes[$0] } }
        set { if let place = place(item, register), let newValue { changes[place] = newValue } }
    }

    private func place(_ item: ItemKey, _ register: String?) -> Int? {
        places[Target(item, register)].map { $0 - taken }
    }
}
