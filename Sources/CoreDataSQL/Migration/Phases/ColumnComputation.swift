import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that fills columns whose values come from another column, or from several, or have another type,
/// in rows that stay in their table.
///
/// It comes after `ColumnArrangement`, which has added the columns, and `KeyShift`, which has changed the
/// keys that it copies.
struct ColumnComputation {
    let change: SchemaChange
    let store: EvolvingStore

    func add(to plan: inout MigrationPlan) {
        for table in change.tables {
            guard let base = table.base else { continue }
            for column in table.added { fill(column, of: table, madeOf: base, &plan) }
        }
    }

    private func fill(
        _ column: TargetColumn, of table: TargetTable, madeOf base: SQLIdentifier,
        _ plan: inout MigrationPlan
    ) {
        var entities: [TargetColumn.Source: [EntityIndex]] = [:]
        for (entity, source) in column.sources {
            guard let source, change.moves.moves[entity]?.copiedWithOffset == nil else { continue }
            entities[source, default: []].append(entity)
        }
        for (source, entities) in entities.sorted(by: \.key.column) {
            let name = store[base](source.column)
            plan.run(
                source.conversion == nil ? "fill columns" : "convert values", .scans(table.name),
                """
                UPDATE \(table.name) SET \(column.name) = \(source.value(name, in: change.dialect))\
                \(change.rows(of: entities, and: "\(name) IS NOT NULL"))
                """)
        }
    }
}
