package import Synchronization

/// A key that a compiled predicate reads of object after object. Whoever answers for it may remember in it where the
/// value lies.
package final class PropertyKey: Sendable {
    package let name: String
    /// 0 at first. One word, so that threads that race to fill it all see a whole one.
    package let memo = Atomic<UInt64>(0)

    init(_ name: String) {
        self.name = name
    }
}

/// A value that costs nothing to hand over.
package enum BareValue {
    case null
    case integer(Int64)
    case double(Double)
    /// Seconds since 2001.
    case date(Double)
    /// A text, which is tested where it lies: `KeyedValues.meets(_:for:)`.
    case text
    /// Anything that has to be asked for as what it is.
    case other
}
