/// Changes that wait to be pushed, in the order of their numbers, found by what they write.
///
/// Those that a file has are read when they are asked for. In memory are those that were added or have changed since the
/// file was written.
package struct PendingChanges: Sendable {
    private let stored: (any StoredChanges)?
    /// How many changes of the file still wait.
    private var storedCount: Int
    /// Changes of the file that are others since it was written, nil for those that wait no more.
    private var replaced: [UInt64: PendingChange?] = [:]
    /// How many of them wait no more.
    private var removedCount = 0
    /// The changes that are later than those of the file, after those that were taken. Taken ones go when they are more than
    /// half, so that each change is moved twice at most however many are taken at a time.
    private var all: [PendingChange] = []
    /// The index of the last change of each register in memory. It counts from the first change ever, so that it stays
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

    /// - Parameter stored: The changes that a file has; nil for none.
    package init(_ changes: some Sequence<PendingChange> = [], after stored: (any StoredChanges)? = nil) {
        self.stored = stored
        storedCount = stored?.count ?? 0
        for change in changes { append(change) }
    }

    /// All changes. Those of the file are read.
    package var changes: [PendingChange] { first(.max) }
    package var count: Int { storedCount + recent.count }
    package var isEmpty: Bool { count == 0 }

    /// The changes that are in memory alone.
    private var recent: ArraySlice<PendingChange> { all[(taken - gone)...] }

    private func first(_ count: Int) -> [PendingChange] {
        guard storedCount > 0, let stored else { return Array(recent.prefix(count)) }
        let limit = count.addingReportingOverflow(removedCount)
        let first = present(stored.first(limit.overflow ? .max : limit.partialValue)).prefix(count)
        return Array(first + recent.prefix(count - first.count))
    }

    /// Returns changes of the file as they are now.
    private func present(_ changes: [PendingChange]) -> [PendingChange] {
        replaced.isEmpty ? changes : changes.compactMap { replaced[$0.change.number] ?? $0 }
    }

    package mutating func append(_ change: PendingChange) {
        unwritten.note(change.change.number, isInFile: false)
        places[Target(change.change)] = gone + all.count
        all.append(change)
    }

    // MARK: Taking

    /// Takes changes from the front, at most so many, and no more than fit into so many bytes of a message.
    /// One is taken whatever it has.
    package mutating func takeFirst(_ count: Int, bytes: Int = .max) -> [PendingChange] {
        let candidates = first(count)
        let first = Array(candidates.prefix(Self.fitting(candidates, into: bytes)))
        let fromFile = min(first.count, storedCount)
        for change in first.prefix(fromFile) { replaceStored(change.change.number, by: nil) }
        for (index, change) in first.dropFirst(fromFile).enumerated() {
            unwritten.note(change.change.number, isInFile: true)
            let target = Target(change.change)
            if places[target] == taken + index { places[target] = nil }
        }
        taken += first.count - fromFile
        if 2 * (taken - gone) > all.count {
            all.removeFirst(taken - gone)
            gone = taken
        }
        return first
    }

    /// Returns how many of the first changes fit. They are measured only where not all are certain to.
    private static func fitting(_ candidates: [PendingChange], into bytes: Int) -> Int {
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
        if storedCount > 0, let stored {
            stored.load(items)
            for change in items.flatMap({ present(stored.changes(of: $0)) }) {
                replaceStored(change.change.number, by: nil)
            }
        }
        guard recent.contains(where: { items.contains($0.change.item) }) else { return }
        setRecent(recent.filter { !items.contains($0.change.item) })
    }

    /// Replaces all changes. Those of the file are read.
    package mutating func replace(with changes: some Sequence<PendingChange>) {
        for change in first(storedCount) { replaceStored(change.change.number, by: nil) }
        setRecent(changes)
    }

    private mutating func setRecent(_ changes: some Sequence<PendingChange>) {
        var former = Dictionary(recent.map { ($0.change.number, $0) }) { $1 }
        (all, places, taken, gone) = ([], [:], 0, 0)
        for change in changes {
            let number = change.change.number
            let old = former.removeValue(forKey: number)
            if old != change { unwritten.note(number, isInFile: old != nil) }
            places[Target(change.change)] = all.count
            all.append(change)
        }
        for number in former.keys { unwritten.note(number, isInFile: true) }
    }

    private mutating func replaceStored(_ number: UInt64, by change: PendingChange?) {
        unwritten.note(number, isInFile: true)
        replaced[number] = .some(change)
        guard change == nil else { return }
        storedCount -= 1
        removedCount += 1
    }

    // MARK: Finding

    /// Has the file read the changes of some items, of which many are asked for next.
    package func load(_ items: some Sequence<ItemKey>) {
        if storedCount > 0 { stored?.load(items) }
    }

    /// Returns the changes of an item.
    package func changes(of item: ItemKey) -> [PendingChange] {
        let former = storedCount > 0 ? present(stored?.changes(of: item) ?? []) : []
        return former + recent.filter { $0.change.item == item }
    }

    /// The last change of a register, or of the existence of an item. It may be replaced by one of the same.
    package subscript(_ item: ItemKey, _ register: String?) -> PendingChange? {
        get {
            if let place = places[Target(item, register)] { return all[place - gone] }
            guard storedCount > 0, let stored else { return nil }
            return present(stored.changes(of: item)).last { $0.change.register == register }
        }
        set {
            guard let newValue, let old = self[item, register] else { return }
            guard let place = places[Target(item, register)] else {
                return replaceStored(old.change.number, by: newValue)
            }
            unwritten.note(newValue.change.number, isInFile: true)
            all[place - gone] = newValue
        }
    }

    // MARK: The file

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

    /// Forgets all changes, since the file has them.
    package mutating func forgetWritten() {
        storedCount = count
        (replaced, removedCount) = ([:], 0)
        (all, places, taken, gone) = ([], [:], 0, 0)
    }

    private func change(_ number: UInt64) -> PendingChange? {
        var (low, high) = (recent.startIndex, recent.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].change.number < number { low = middle + 1 } else { high = middle }
        }
        if low < all.count, all[low].change.number == number { return all[low] }
        return replaced[number] ?? nil
    }
}

/// The changes that the file of a ledger has.
package protocol StoredChanges: Sendable {
    var count: Int { get }
    /// Returns the first changes in the order of their numbers.
    func first(_ count: Int) -> [PendingChange]
    /// Returns the changes of an item in the order of their numbers.
    func changes(of item: ItemKey) -> [PendingChange]
    /// Takes note of what is asked for next.
    func load(_ items: some Sequence<ItemKey>)
}
