import CoreDataModelFormat

/// The join table of a relationship that is its own inverse. It has each pair in one or both directions
/// (sqlite-store §8).
struct ReflexiveJoin: Sendable {
    let table: SQLIdentifier
    let columns: [SQLIdentifier]

    /// Makes the value for a relationship; nil if the relationship is not its own inverse.
    init?(_ relationship: PropertySlot, of table: EntityTable) {
        guard case .join(let name, let owner, let member, _, true) = table.toMany[relationship.index] else {
            return nil
        }
        (self.table, columns) = (name, [owner, member])
    }

    func partners(of key: SQLText) -> SQLText {
        """
        SELECT \(columns[1]) FROM \(table) WHERE \(columns[0]) = \(key) \
        UNION SELECT \(columns[0]) FROM \(table) WHERE \(columns[1]) = \(key)
        """
    }
}

// Counts and sums over such a relationship.
extension TriggerCompiler {
    /// Returns the triggers. A row of the join table counts for both of its objects.
    func statements(
        _ join: ReflexiveJoin, _ total: SQLText, _ initial: SQLText, _ target: DerivedTarget
    ) -> [SQLFragment] {
        func trigger(_ name: String, _ event: SQLText, _ rows: [SQLText]) -> SQLFragment {
            let keys = rows.flatMap { row in join.columns.map { "\(row).\($0)" as SQLText } }
            return target.trigger(
                on: join.table, name, event, set: total, where: "Z_PK IN (\(keys.joined(separator: ", ")))")
        }
        return [
            trigger("PARAMETER_INSERT", "INSERT", ["NEW"]),
            trigger(
                "PARAMETER_UPDATE", "UPDATE OF \(join.columns.joined(separator: ", "))", ["OLD", "NEW"]),
            trigger("PARAMETER_DELETE", "DELETE", ["OLD"]),
            target.sourceInsert(initial),
        ]
    }
}
