/// What a device remembers of a register: whose write its store shows, and a hash of it. The value is in the
/// store.
package struct LedgerRegister: Hashable, Sendable, DigestedRegister {
    package var stamp: Stamp
    /// The hash of what the store shows.
    package var shown: UInt64
    /// The merged value where the store cannot tell it: of references, places and the presence of pairs.
    package var kept: SyncValue?
    package var counter: Counter?

    package init(stamp: Stamp, shown: UInt64, kept: SyncValue? = nil, counter: Counter? = nil) {
        self.stamp = stamp
        self.shown = shown
        self.kept = kept
        self.counter = counter
    }

    package var isDigested: Bool { stamp != .absent }

    package var fingerprint: UInt64 {
        (counter.map(Register.counter) ?? Register.value(.null, stamp)).fingerprint
    }
}

extension Stamp {
    /// Of a write that the server has not taken. Digests differ by it until the device has read what the server
    /// has instead, which may be the model's default.
    static let untaken = Stamp(time: .zero, replica: ReplicaID(high: 0, low: 1))
    /// Of a value that the server does not have, and that the store shows yet.
    static let absent = Stamp(time: .zero, replica: ReplicaID(high: 0, low: 2))
}

/// What a device remembers of an item.
package struct LedgerEntry: Hashable, Sendable, DigestedItem {
    package var entity: String
    /// Of length 0, the server does not have the item, and it goes once the store does not show it.
    package var existence: Existence
    package var created: Stamp
    package var alias: SyncID?
    package var registers: [String: LedgerRegister]
    /// The object in the store; nil if it shows none.
    package var local: LocalKey?
    /// Whether the store shows a pair.
    package var isShown: Bool
    /// The values of an object that lives but cannot be shown, since an object is missing that it needs, and
    /// those that the store does not take.
    package var held: [String: SyncValue]
    /// The zone's number when the item was last received.
    package var sequence: UInt64

    package init(entity: String, existence: Existence, created: Stamp? = nil) {
        self.entity = entity
        self.existence = existence
        self.created = created ?? existence.stamp
        registers = [:]
        isShown = false
        held = [:]
        sequence = 0
    }

    package var isAlive: Bool { existence.isAlive && alias == nil }
    package var isPresent: Bool {
        existence.length > 0 && registers[ItemState.presence]?.kept == .boolean(true)
    }

    /// The objects that it refers to.
    package var targets: [SyncID] {
        registers.values.compactMap(\.kept?.reference) + (alias.map { [$0] } ?? [])
    }

    /// Returns the state without the values that only the store has.
    package func stateWithoutValues() -> ItemState {
        var state = ItemState(entity: entity, existence: existence, created: created, alias: alias)
        state.registers = registers.mapValues { register in
            register.counter.map(Register.counter) ?? .value(register.kept ?? .null, register.stamp)
        }
        return state
    }
}

/// A change that waits to be pushed.
package struct PendingChange: Hashable, Sendable {
    package var change: Change
    /// The time of the edit by the device's wall clock.
    package var milliseconds: UInt64
    /// What the edit added to a counter.
    package var addition: CounterAddition?

    package init(_ change: Change, milliseconds: UInt64, addition: CounterAddition? = nil) {
        self.change = change
        self.milliseconds = milliseconds
        self.addition = addition
    }
}

/// A change that was pushed, and the number that the push got in the zone.
package struct AnsweredChange: Hashable, Sendable {
    package var change: PendingChange
    package var sequence: UInt64

    package init(_ change: PendingChange, sequence: UInt64) {
        self.change = change
        self.sequence = sequence
    }
}

/// The amount that an edit added to a counter, and what the replica had added before.
package struct CounterAddition: Hashable, Sendable {
    package var amount: SyncValue
    package var before: Counter.Part?

    package init(_ amount: SyncValue, before: Counter.Part?) {
        self.amount = amount
        self.before = before
    }
}

/// An item that was received and not yet imported.
package struct InboxItem: Hashable, Sendable {
    package var state: ItemState
    /// Whether the state has all registers, so that others are not the server's.
    package var isWhole: Bool
    /// Whether the server does not have the item any more.
    package var isDropped: Bool

    package init(state: ItemState, isWhole: Bool, isDropped: Bool = false) {
        self.state = state
        self.isWhole = isWhole
        self.isDropped = isDropped
    }

    /// Adds a write of this device that the server has taken since, which the import must not take back.
    mutating func add(_ change: Change, _ rule: MergeRule) {
        guard !isDropped else { return }
        if let name = change.register, let written = change.written {
            state.merge(written, as: name, rule)
        } else if case .existence(let length, _) = change.edit {
            state.existence = state.existence.merged(with: Existence(length: length, stamp: change.stamp))
        }
    }

    /// Adds what was received later.
    mutating func add(_ later: ItemState, isWhole: Bool) {
        var registers = later.registers
        if !isWhole, later.isAlive, state.isAlive, !isDropped {
            registers = state.registers.merging(later.registers) { $1 }
        }
        self.isWhole = isWhole || (self.isWhole && !isDropped)
        isDropped = false
        state = later
        state.registers = registers
    }
}
