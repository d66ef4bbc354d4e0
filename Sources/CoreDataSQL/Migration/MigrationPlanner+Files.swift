import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

// Values that lie in files of their own (sqlite-store §6).
extension MigrationPlanner {
    /// Requires that values which lie in files and are to be in the rows can be read.
    mutating func requireReadable(_ columns: [TargetColumn]) {
        for column in columns {
            guard case .value(let slot, _, _) = column.role else { continue }
            for (entity, source) in column.sources.sorted(by: { $0.key < $1.key }) {
                guard let source, source.conversion == .unmarked, let move = moves.moves[entity] else {
                    continue
                }
                let table = current(move.oldTable)
                let name = table(source.column)
                plan.require(
                    .unreadable, self.name(of: entity), slot.name,
                    none: SQLFragment(
                        """
                        SELECT COUNT(*) FROM \(table.name) WHERE Z_ENT = \(move.newNumber) \
                        AND \(name) NOT NULL AND \(SQLFunctionNames.contents)(\(name)) IS NULL
                        """))
            }
        }
    }

    /// Returns the columns of an entity of the store that may name files.
    func externalColumns(of entity: EntityIndex) -> [(name: SQLIdentifier, slot: PropertySlot)] {
        guard let table = source[entity] else { return [] }
        return zip(table.columns, evolution.source[entity].columns)
            .filter { $1.attribute?.allowsExternalStorage ?? false }.map { ($0.name, $1) }
    }

    /// Releases the files that rows which are copied to another table leave behind.
    mutating func releaseFiles(_ move: EntityMoves.Move, _ carried: Set<SQLIdentifier>) {
        let table = current(move.oldTable)
        for (column, slot) in externalColumns(of: move.source) where !carried.contains(column) {
            let name = table(column)
            plan.release(
                "release the files of \(evolution.source[move.source].name).\(slot.name)",
                SQLFragment(
                    """
                    SELECT \(name) FROM \(table.name) WHERE Z_ENT = \(move.newNumber) \
                    AND length(\(name)) = 38
                    """))
        }
    }
}
