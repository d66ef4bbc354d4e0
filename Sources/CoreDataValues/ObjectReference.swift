/// The position of an entity in its `CompiledModel`.
///
/// Entities are numbered depth first, roots and siblings by case-insensitive name, so the subentities of an
/// entity follow it without gaps (sqlite-store §3).
@usableFromInline package typealias EntityIndex = Int32

/// A reference to a row within its store: concrete entity and key.
///
/// Keys are unique within a root entity. A negative key is temporary: a context gave it to an object that has
/// no row yet.
@frozen @usableFromInline
package struct ObjectReference: Sendable, Hashable {
    @usableFromInline package let entity: EntityIndex
    @usableFromInline package let key: Int64

    @inlinable
    package init(entity: EntityIndex, key: Int64) {
        self.entity = entity
        self.key = key
    }

    @inlinable package var isTemporary: Bool { key < 0 }

    /// Hashes entity and key in one word, which takes half the time: every path of a save uses tables of
    /// references.
    @inlinable
    package func hash(into hasher: inout Hasher) {
        hasher.combine(key ^ Int64(entity) << 48)
    }
}
