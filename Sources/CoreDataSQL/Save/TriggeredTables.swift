/// The tables of a store that have triggers.
///
/// Triggers that other connections add while the store is open do not count.
package struct TriggeredTables: Sendable {
    var names: Set<SQLIdentifier> = []
    /// Whether writing to the tables may change rows of other entities.
    var changeRows = false

    package init() {}

    func contains(_ table: EntityTable) -> Bool { names.contains(table.tableName) }
}
