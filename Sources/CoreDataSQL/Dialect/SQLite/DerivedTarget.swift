import CoreDataStore

/// The column of a derived attribute, with the text of the triggers that write it.
struct DerivedTarget {
    let table: SQLIdentifier
    let entity: String
    let attribute: String
    let column: SQLIdentifier
    /// The condition that a row is of the entity; nil if the table has no other rows.
    let rows: SQLText?

    func sourceInsert(_ value: SQLText) -> SQLFragment {
        trigger(
            on: table, "SOURCE_INSERT", "INSERT", when: rows, set: value, where: "Z_PK = NEW.Z_PK",
            reportsInsert: true)
    }

    func trigger(
        on watched: SQLIdentifier,
        _ name: String,
        _ event: SQLText,
        when condition: SQLText? = nil,
        set value: SQLText,
        where affected: SQLText,
        reportsInsert: Bool = false
    ) -> SQLFragment {
        let report = reportsInsert ? SQLFunctionNames.insertReport : SQLFunctionNames.updateReport
        let when: SQLText = condition.map { "WHEN (\($0)) " } ?? ""
        let trigger = SQLIdentifier("Z_DA_\(watched)_\(entity)_\(attribute)_\(name)")
        return SQLFragment(
            """
            CREATE TRIGGER \(trigger) AFTER \(event) ON \(watched) \
            FOR EACH ROW \(when)BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(affected); \
            SELECT \(report)(\(quoting: table.name), Z_ENT, Z_PK, \(quoting: attribute), \(column)) FROM \(table) \
            WHERE \(affected); END
            """)
    }
}
