/// A reading of a hybrid logical clock: milliseconds of the wall clock, and a counter that orders what
/// happens within one of them, or while the wall clock stands still.
package struct HybridTime: Hashable, Comparable, Sendable {
    /// 48 bits of milliseconds since 1970 above 16 bits of counter, so that the order is that of numbers.
    package let word: UInt64

    package static let zero = HybridTime(word: 0)
    package static let latest = HybridTime(word: .max)

    package init(word: UInt64) {
        self.word = word
    }

    package init(milliseconds: UInt64, counter: UInt16 = 0) {
        word = min(milliseconds, (1 << 48) - 1) << 16 | UInt64(counter)
    }

    package var milliseconds: UInt64 { word >> 16 }
    package var counter: UInt16 { UInt16(truncatingIfNeeded: word) }

    /// The next later time. A full counter runs over into the milliseconds.
    package var next: HybridTime { HybridTime(word: word == .max ? word : word + 1) }

    package static func < (first: HybridTime, second: HybridTime) -> Bool { first.word < second.word }
}

/// When and by which replica a register was written. No two writes of one register have the same stamp.
package struct Stamp: Hashable, Comparable, Sendable {
    package var time: HybridTime
    package var replica: ReplicaID

    /// Earlier than every write.
    package static let never = Stamp(time: .zero, replica: ReplicaID(high: 0, low: 0))

    package init(time: HybridTime, replica: ReplicaID) {
        self.time = time
        self.replica = replica
    }

    package static func < (first: Stamp, second: Stamp) -> Bool {
        first.time != second.time ? first.time < second.time : first.replica < second.replica
    }
}
