/// Whether an object lives, as a causal length: how often it was made and deleted in turn. The larger length
/// wins, so that a delete, a restore and another delete mean the same in whatever order they arrive.
package struct Existence: Hashable, Sendable {
    /// Odd: alive. Even: deleted. Zero: never made.
    package var length: UInt32
    package var stamp: Stamp

    package init(length: UInt32, stamp: Stamp) {
        self.length = length
        self.stamp = stamp
    }

    package var isAlive: Bool { length % 2 == 1 }

    /// Returns the merge of two states. Of two that say the same the earlier counts; the other repeats it.
    package func merged(with other: Existence) -> Existence {
        if length != other.length { return length > other.length ? self : other }
        return stamp < other.stamp ? self : other
    }
}
