/// A row that a statement, or a trigger that it fired, has written.
package struct ChangedRow: Sendable, Hashable {
    package let table: SQLIdentifier
    package let key: Int64

    package init(table: SQLIdentifier, key: Int64) {
        self.table = table
        self.key = key
    }
}
