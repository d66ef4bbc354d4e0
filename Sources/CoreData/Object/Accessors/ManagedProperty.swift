public import Synchronization

/// The token of a property for generated code: looked up once per entity, then read at a fixed offset.
///
/// The cache is one word, so that threads that fill it at the same time always read a complete
/// `CachedColumn`.
@_documentation(visibility: internal)
public final class ManagedProperty: Sendable {
    /// The name of the property in the model.
    public let name: String
    @usableFromInline let cache = Atomic<UInt64>(0)

    /// Makes the token of a property.
    public init(_ name: String) {
        self.name = name
    }

    @inlinable
    func column(for layoutID: UInt32) -> CachedColumn? {
        let column = CachedColumn(bits: cache.load(ordering: .relaxed))
        return column.layoutID == layoutID ? column : nil
    }

    func remember(_ column: CachedColumn) { cache.store(column.bits, ordering: .relaxed) }
}
