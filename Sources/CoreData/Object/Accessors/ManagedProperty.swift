public import Synchronization

/// A property as generated code names it: looked up once per entity, then read at a fixed offset.
///
/// The cache is one word, so that threads that race to fill it all see a whole entry: the layout's id in the
/// upper half, then the column, then its word.
@_documentation(visibility: internal)
public final class ManagedProperty: Sendable {
    /// The name of the property in the model.
    public let name: String
    @usableFromInline let cache = Atomic<UInt64>(0)

    /// Called by generated code: makes the token of a property.
    public init(_ name: String) {
        self.name = name
    }

    @inlinable
    func entry(for layoutID: UInt32) -> UInt64? {
        let entry = cache.load(ordering: .relaxed)
        return UInt32(truncatingIfNeeded: entry >> 32) == layoutID ? entry : nil
    }

    func remember(layoutID: UInt32, column: Int, offset: Int) -> UInt64 {
        let entry = UInt64(layoutID) << 32 | UInt64(column) << 16 | UInt64(offset)
        cache.store(entry, ordering: .relaxed)
        return entry
    }
}
