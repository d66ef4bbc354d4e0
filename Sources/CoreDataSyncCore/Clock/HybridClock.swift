/// A clock whose times only rise, and are later than every time that it was shown.
///
/// It follows the wall clock as long as that runs ahead, and counts where it stands still or jumps back.
package struct HybridClock: Hashable, Sendable {
    /// The latest time that the clock gave or was shown.
    package private(set) var last: HybridTime

    package init(last: HybridTime = .zero) {
        self.last = last
    }

    /// Returns a time later than all before it, and not before the wall clock's.
    package mutating func tick(milliseconds: UInt64) -> HybridTime {
        last = max(last.next, HybridTime(milliseconds: milliseconds))
        return last
    }

    /// Raises the clock to a time that another replica has given.
    package mutating func receive(_ time: HybridTime) {
        last = max(last, time)
    }
}
