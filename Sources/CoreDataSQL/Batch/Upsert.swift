/// An insertion of one row that instead changes a stored row with equal unique values.
package struct Upsert: Sendable {
    package let table: SQLIdentifier
    /// The columns of the new row.
    package let names: [SQLIdentifier]
    /// The values of the new row: `(?, ?)`.
    package let row: SQLText
    /// The columns of each uniqueness constraint. The row that is changed is the first of those that have equal
    /// values in the columns of the first constraint, of the second one, and so on.
    package let constraints: [[IndexedColumn]]
    /// The changes of the stored row. The new row is called `excluded`.
    package let assignments: [SQLText]
    /// The condition under which the stored row is changed; nil if it always is.
    package let condition: SQLText?
    /// Whether the key and the entity number of the row that was written are asked for.
    package let answersRow: Bool

    package init(
        table: SQLIdentifier, names: [SQLIdentifier], row: SQLText, constraints: [[IndexedColumn]],
        assignments: [SQLText], condition: SQLText?, answersRow: Bool
    ) {
        self.table = table
        self.names = names
        self.row = row
        self.constraints = constraints
        self.assignments = assignments
        self.condition = condition
        self.answersRow = answersRow
    }

    var insert: SQLText { "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES \(row)" }
    /// The changes, as an update spells them after the table.
    var update: SQLText { "SET \(assignments.joined(separator: ", "))" }
    var end: SQLText {
        let condition: SQLText = condition.map { " WHERE \($0)" } ?? ""
        return answersRow ? "\(condition) RETURNING Z_PK, Z_ENT" : condition
    }
}
