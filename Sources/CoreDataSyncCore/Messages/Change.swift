/// One write of a replica, as it is pushed.
package struct Change: Hashable, Sendable {
    /// Counts the changes of a replica, so that an answer can name one.
    package var number: UInt64
    package var item: ItemKey
    package var entity: String
    package var edit: Edit
    package var stamp: Stamp
    /// The stamp of the write that this one replaced, by which the server knows which writes had not seen
    /// each other. Nil: there was none.
    package var base: Stamp?
    /// Whether the server may have had the change before: the replica repeats what a restored server lost, or
    /// another device may have pushed it.
    package var isRelayed: Bool

    package init(
        number: UInt64, item: ItemKey, entity: String, edit: Edit, stamp: Stamp, base: Stamp? = nil,
        isRelayed: Bool = false
    ) {
        self.number = number
        self.item = item
        self.entity = entity
        self.edit = edit
        self.stamp = stamp
        self.base = base
        self.isRelayed = isRelayed
    }

    package enum Edit: Hashable, Sendable {
        /// The object was made, deleted or restored. `seen` is the number up to which the replica knew the
        /// zone: what came later, a deletion has not seen.
        case existence(UInt32, seen: UInt64)
        case set(String, SyncValue)
        /// What the stamp's replica has added to a counter in all.
        case count(String, SyncValue)
        /// The object was merged into another one, as a restored server has to hear again.
        case merged(into: SyncID)
    }

    /// The register that the change writes; nil for existence and merged objects.
    package var register: String? {
        switch edit {
        case .existence, .merged: nil
        case .set(let name, _), .count(let name, _): name
        }
    }

    package var value: SyncValue {
        switch edit {
        case .existence(let length, _): .boolean(length % 2 == 1)
        case .set(_, let value), .count(_, let value): value
        case .merged(let survivor): .reference(survivor)
        }
    }

    /// The state of a register that has seen this change alone.
    package var written: Register? {
        switch edit {
        case .existence, .merged: nil
        case .set(_, let value): .value(value, stamp)
        case .count(_, let total): .counter(Counter([stamp.replica: .init(total: total, time: stamp.time)]))
        }
    }
}

/// What became of a pushed change.
package enum Outcome: Hashable, Sendable {
    case applied
    /// A later write, or a deletion, has won. The value is in the log.
    case superseded
    /// It was applied to the object that this one was merged into, or merged into a pair of that.
    case alias(SyncID)
    case rejected(String)
    /// The object was deleted so long ago that the server has forgotten it.
    case gone
}
