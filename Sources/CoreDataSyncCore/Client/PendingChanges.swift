/// Changes that wait to be pushed, in the order of their numbers, found by what they write.
package struct PendingChanges: Sendable {
    /// The changes, after those that were taken. Taken ones go when they are more than half, so that each change is
    /// moved twice at most however many are taken at a time.
    private var all: [PendingChange] = []
    /// The index of the last change of each register. It counts from the first change ever, so that it stays
    /// the same when changes are taken from the front.
    private var places: [Target: Int] = [:]
    /// How many changes were taken from the front, and how many of these are gone.
    private var (taken, gone) = (0, 0)
    private var unwritten = Unwritten<UInt64>()

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

    package init(_ changes: some Sequence<PendingChange> = []) {
        for change in changes { append(change) }
    }

    package var changes: ArraySlice<PendingChange> { all[(taken - gone)...] }
    package var isEmpty: Bool { changes.isEmpty }

    package mutating func append(_ change: PendingChange) {
        unwritten.note(change.change.number, isInFile: false)
        places[Target(change.change)] = gone + all.count
        all.append(change)
    }

    /// Takes changes from the front, at most so many, and no more than fit into so many bytes of a message.
    /// One is taken whatever it has.
    package mutating func takeFirst(_ count: Int, bytes: Int = .max) -> [PendingChange] {
        let first = Array(changes.prefix(fitting(count, into: bytes)))
        for (index, change) in first.enumerated() {
            unwritten.note(change.change.number, isInFile: true)
            let target = Target(change.change)
            if places[target] == taken + index { places[target] = nil }
        }
        taken += first.count
        if 2 * (taken - gone) > all.count {
            all.removeFirst(taken - gone)
            gone = taken
        }
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
        replace(with: changes.filter { !items.contains($0.change.item) })
    }

    /// Replaces all changes.
    package mutating func replace(with changes: some Sequence<PendingChange>) {
        var next = PendingChanges()
        next.unwritten = unwritten
        var former = Dictionary(self.changes.map { ($0.change.number, $0) }) { $1 }
        for change in changes {
            let old = former.removeValue(forKey: change.change.number)
            if old == change {
                next.places[Target(change.change)] = next.all.count
                next.all.append(change)
            } else {
                if old != nil { next.unwritten.note(change.change.number, isInFile: true) }
                next.append(change)
            }
        }
        for number in former.keys { next.unwritten.note(number, isInFile: true) }
        self = next
    }

    /// Takes changes for those that the file has.
    package mutating func fill(_ changes: some Sequence<PendingChange>) {
        self = PendingChanges(changes)
        unwritten = Unwritten()
    }

    /// Returns the changes that are others since the file was written by their numbers, nil for those that are gone,
    /// and whether the file has them; takes them for written.
    package mutating func takeWrites() -> [(number: UInt64, change: PendingChange?, isInFile: Bool)] {
        unwritten.take().map { ($0, change($0), $1) }
    }

    private func change(_ number: UInt64) -> PendingChange? {
        var (low, high) = (changes.startIndex, changes.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].change.number < number { low = middle + 1 } else { high = middle }
        }
        return low < all.count && all[low].change.number == number ? all[low] : nil
    }

    /// The last change of a register, or of the existence of an item. It may be replaced by one of the same.
    package subscript(_ item: ItemKey, _ register: String?) -> PendingChange? {
        get { place(item, register).map { all[$0] } }
        set {
            guard let place = place(item, register), let newValue else { return }
            unwritten.note(newValue.change.number, isInFile: true)
            all[place] = newValue
        }
    }

    private func place(_ item: ItemKey, _ register: String?) -> Int? {
        places[Target(item, register)].map { $0 - gone }
    }
}
