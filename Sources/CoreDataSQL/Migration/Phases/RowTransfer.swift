import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that moves rows to other tables if their entity has changed its hierarchy. It copies them, and
/// later removes the originals.
///
/// Rows are copied after `KeyShift`, which finds owners by their old keys. The originals stay until the links
/// of the store have been read from them.
struct RowTransfer {
    let change: SchemaChange
    let store: EvolvingStore

    /// The moves of entities that have rows.
    private var copies: [EntityMoves.Move] {
        change.moves.copies.filter { !change.evolution.source[$0.source].isAbstract }
    }

    private func title(of move: EntityMoves.Move) -> String {
        "move \(change.name(of: move.destination)) to the table of its hierarchy"
    }

    func copyRows(_ plan: inout MigrationPlan) {
        for move in copies { copyRows(move, &plan) }
    }

    private func copyRows(_ move: EntityMoves.Move, _ plan: inout MigrationPlan) {
        let from = store[move.oldTable]
        var names = [NameMangling.key, NameMangling.entity, NameMangling.version]
        var values: [SQLText] = [move.offset == 0 ? "Z_PK" : "Z_PK + \(move.offset)", "Z_ENT", "Z_OPT"]
        var carried: Set<SQLIdentifier> = []
        for column in change.columns(of: move.newTable) {
            guard let source = column.sources[move.destination] ?? nil else { continue }
            names.append(column.name)
            values.append(source.value(from(source.column), in: change.dialect))
            if source.conversion != .unmarked { carried.insert(source.column) }
        }
        plan.run(
            title(of: move), .copies(from: from.name, to: move.newTable),
            """
            INSERT INTO \(move.newTable) (\(names.joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) FROM \(from.name) WHERE Z_ENT = \(move.newNumber)
            """)
        releaseFiles(of: move, except: carried, &plan)
    }

    /// Releases the files that copied rows leave behind.
    private func releaseFiles(
        of move: EntityMoves.Move, except carried: Set<SQLIdentifier>, _ plan: inout MigrationPlan
    ) {
        let table = store[move.oldTable]
        for (column, slot) in change.externalColumns(of: move.source) where !carried.contains(column) {
            plan.releaseFiles(
                "release the files of \(change.evolution.source[move.source].name).\(slot.name)",
                table(column),
                in: table.name, number: move.newNumber)
        }
    }

    /// Removes rows that have been copied, from tables that stay.
    ///
    /// A table that is only put aside must not name files in use, since they would be removed with it.
    func removeCopiedRows(_ plan: inout MigrationPlan) {
        for move in copies {
            let isBase = change.moves.bases.values.contains(move.oldTable)
            let isPutAside = change.isDeferred && !change.externalColumns(of: move.source).isEmpty
            guard isBase || isPutAside else { continue }
            let table = store[move.oldTable].name
            plan.run(
                title(of: move), .scans(table), "DELETE FROM \(table) WHERE Z_ENT = \(move.newNumber)")
        }
    }
}
