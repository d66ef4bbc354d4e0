package import CoreDataValues

/// The identity of a row across contexts: equal identities belong to the same row of the same store.
package struct RowIdentity: Hashable, Sendable {
    private let store: ObjectIdentifier?
    private let root: EntityIndex
    private let key: Int64

    package init(store: ObjectIdentifier?, root: EntityIndex, key: Int64) {
        self.store = store
        self.root = root
        self.key = key
    }
}
