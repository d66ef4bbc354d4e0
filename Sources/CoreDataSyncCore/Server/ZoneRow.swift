/// An item as a server stores it: its state, and when each part of it was last written, in numbers of the
/// zone.
package struct ZoneRow: Hashable, Sendable {
    package var state: ItemState
    /// The number of the push that last changed any part.
    package var sequence: UInt64
    /// The numbers of the registers.
    package var sequences: [String: UInt64]
    /// When the row last changed, in milliseconds of the server's clock; deletions are forgotten by it.
    package var changed: UInt64

    package init(
        state: ItemState, sequence: UInt64 = 0, sequences: [String: UInt64] = [:], changed: UInt64 = 0
    ) {
        self.state = state
        self.sequence = sequence
        self.sequences = sequences
        self.changed = changed
    }

    /// What the row counts when a push to a full zone is weighed, about in bytes: the item and its values, without stamps
    /// and numbers, which a deletion changes, too. A number counts as much as any other.
    package var weight: Int {
        state.registers.reduce(100) { $0 + $1.key.utf8.count + $1.value.value.byteBound }
    }
}

/// What a server keeps of a zone as a whole.
package struct ZoneHeader: Hashable, Sendable {
    /// Raised when the zone was restored from a backup.
    package var epoch: UInt64 = 1
    /// The number of the last push.
    package var sequence: UInt64 = 0
    /// The last time that the server gave or saw.
    package var clock = HybridClock()
    /// The number up to which deletions are forgotten: an older cursor has not seen them.
    package var forgotten: UInt64 = 0
    /// The epoch in which anything was last forgotten.
    package var forgottenEpoch: UInt64 = 0
    /// The latest stamp among what is forgotten.
    package var forgottenTime = HybridTime.zero
    package var digest = ZoneDigest()
    /// For each epoch that ended with a restore, the number that the backup had.
    package var restores: [UInt64: UInt64] = [:]
    /// What one device does for all, by name.
    package var tasks: [String: TaskRow] = [:]

    package init() {}
}

/// What a server keeps of a replica that pushes.
package struct DeviceRow: Hashable, Sendable {
    /// The receipt of its last push.
    package var receipt: [UInt8]
    /// The answer to it, for the case that it was lost.
    package var answer: PushAnswer

    package init(receipt: [UInt8], answer: PushAnswer) {
        self.receipt = receipt
        self.answer = answer
    }
}

/// A value that lost, with its place among the changes of the zone.
package struct LogRow: Hashable, Sendable {
    package var sequence: UInt64
    package var lost: LostValue
    package var changed: UInt64

    package init(sequence: UInt64, lost: LostValue, changed: UInt64) {
        self.sequence = sequence
        self.lost = lost
        self.changed = changed
    }
}
