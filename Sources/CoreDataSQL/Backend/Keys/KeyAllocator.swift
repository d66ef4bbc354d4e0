package import CoreDataValues

/// The choice of keys for new rows. No row of a table gets a key that another one has or had.
package protocol KeyAllocator: Sendable {
    /// Whether keys are taken in the transaction that writes the rows, which then has to be begun with the
    /// lock of a writer.
    var needsTransaction: Bool { get }
    /// Returns new keys in the table of an entity's root.
    func keys(
        _ count: Int, of entity: EntityIndex, on connection: any SQLConnection
    ) throws(SQLError) -> NewKeys
}
