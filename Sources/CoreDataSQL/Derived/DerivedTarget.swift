import CoreDataStore

/// The column a derived attribute lies in, and how its triggers are worded.
struct DerivedTarget {
    let table: String
    let entity: String
    let attribute: String
    let column: String
    /// The condition that a row is of the entity; nil where the table has no other rows.
    let rows: String?

    func sourceInsert(_ value: String) -> SQLFragment {
        trigger(
            on: table, "SOURCE_INSERT", "INSERT", when: rows, set: value, where: "Z_PK = NEW.Z_PK",
            reportsInsert: true)
    }

    func trigger(
        on watched: String,
        _ name: String,
        _ event: String,
        when condition: String? = nil,
        set value: String,
        where affected: String,
        reportsInsert: Bool = false
    ) -> SQLFragment {
        let report = reportsInsert ? SQLFunctionNames.insertReport : SQLFunctionNames.updateReport
        let when = condition.map { "WHEN (\($0)) " } ?? ""
        return SQLFragment(
            """
            CREATE TRIGGER Z_DA_\(watched)_\(entity)_\(attribute)_\(name) AFTER \(event) ON \(watched) \
            FOR EACH ROW \(when)BEGIN UPDATE \(table) SET \(column) = \(value) WHERE \(affected); \
            SELECT \(report)('\(table)', Z_ENT, Z_PK, '\(attribute)', \(column)) FROM \(table) \
            WHERE \(affected); END
            """)
    }
}
