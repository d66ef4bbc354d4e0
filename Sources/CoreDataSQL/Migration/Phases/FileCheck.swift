import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that requires that values which move from external files into their rows can be read
/// (sqlite-store §6).
///
/// It comes before `ColumnComputation` and `RowTransfer`, which read them.
struct FileCheck {
    let change: SchemaChange
    let store: EvolvingStore

    func add(to plan: inout MigrationPlan) {
        for column in change.tables.flatMap(\.columns) {
            guard case .value(let slot, _, _) = column.role else { continue }
            for (entity, source) in column.sources.sorted(by: \.key) {
                guard let source, source.conversion == .unmarked, let move = change.moves.moves[entity] else {
                    continue
                }
                let table = store[move.oldTable]
                let name = table(source.column)
                plan.require(
                    .unreadable, change.name(of: entity), slot.name,
                    none: """
                        SELECT COUNT(*) FROM \(table.name) WHERE Z_ENT = \(move.newNumber) \
                        AND \(name) IS NOT NULL AND \(SQLFunctionNames.contents)(\(name)) IS NULL
                        """)
            }
        }
    }
}
