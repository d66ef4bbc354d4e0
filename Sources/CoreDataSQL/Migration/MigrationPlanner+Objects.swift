import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

// The contents of a store beside its tables: triggers, indexes, the rows that name its entities.
extension MigrationPlanner {
    private static let triggerPrefixes = ["Z_DA_", "Z_RT_", SearchTable.prefix]

    private var ownTriggers: [MigrationCatalog.Definition] {
        details.triggers.filter { trigger in Self.triggerPrefixes.contains { trigger.name.name.hasPrefix($0) }
        }
    }

    /// Drops triggers, which would fire on what the migration writes, and keep columns from being dropped.
    mutating func dropTriggers() {
        for trigger in ownTriggers {
            plan.run("drop triggers", .definition, SQLFragment("DROP TRIGGER \(trigger.name)"))
        }
    }

    mutating func arrangeTriggers() {
        let spatial = Dictionary(
            target.spatialIndexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let former = source.spatialTables
        for name in former.sorted() where spatial[name].map({ !isKept($0) }) ?? true {
            plan.run("drop spatial indexes", .definition, SQLFragment("DROP TABLE \(name)"))
        }
        for (name, index) in spatial.sorted(by: { $0.key < $1.key })
        where !former.contains(name) || !isKept(index) {
            plan.run("make spatial indexes", .creates(name), index.table)
            plan.run("make spatial indexes", .copies(from: index.source, to: name), index.fill)
        }
        for trigger in target.derivedTriggers
            + spatial.sorted(by: { $0.key < $1.key }).flatMap(\.value.triggers)
        {
            plan.run("make triggers", .definition, trigger)
        }
        // The full-text indexes of tables that have changed are made anew when the store is opened.
        for trigger in ownTriggers
        where trigger.name.name.hasPrefix(SearchTable.prefix) && !rebuilt.contains(trigger.table) {
            plan.run("make triggers", .definition, SQLFragment(trigger.sql))
        }
    }

    /// Returns whether the rows of a spatial index are those it is to have.
    private func isKept(_ index: SpatialIndexDefinition) -> Bool {
        guard let base = moves.bases[index.source], !rebuilt.contains(base) else { return false }
        guard let wanted = index.triggers.first else { return false }
        return details.triggers.contains { SQLWords($0.sql) == SQLWords(wanted.sql) }
    }

    // MARK: Indexes

    /// Drops and makes indexes.
    ///
    /// Indexes that are as they should be stay, since making one costs as much as its table has rows.
    mutating func arrangeIndexes(_ columns: [SQLIdentifier: [TargetColumn]]) {
        let wanted = Dictionary(
            target.indexes.map { ($0.name, SQLWords($0.statement.sql)) },
            uniquingKeysWith: { first, _ in first })
        var present: Set<SQLIdentifier> = []
        let tables = Set(source.entities.compactMap { $0?.tableName } + source.joinTables.map(\.name))
        for index in details.indexes where tables.contains(index.table) {
            if !rebuiltColumns(of: index), wanted[index.name] == SQLWords(index.sql) {
                present.insert(index.name)
            } else {
                plan.run("drop indexes", .definition, "DROP INDEX IF EXISTS \(index.name)")
            }
        }
        for index in target.indexes where !present.contains(index.name) {
            guard let constraint = index.constraint else {
                plan.run("make indexes", .scans(index.table), index.statement)
                continue
            }
            let entity = evolution.destination[constraint.entity]
            let violation = MigrationViolation(
                entity: entity.name, property: constraint.properties.joined(separator: ", "), rule: .unique)
            plan.constrain(
                "make indexes", .scans(index.table), index.statement, violation,
                precheck: rowsThatShare(constraint.properties, of: entity, columns))
        }
    }

    /// Returns whether the index is on a table or column that has another name by now.
    private func rebuiltColumns(of index: MigrationCatalog.Definition) -> Bool {
        let table = current(index.table)
        guard table.name == index.table else { return true }
        let changed = table.columns.filter { $0.key != $0.value }.keys + (leftovers[index.table] ?? [])
        return changed.contains { index.names($0) }
    }

    // MARK: Entities

    mutating func rewriteEntityRows() {
        plan.run(
            "note the entities", .scans(SQLIdentifier("Z_PRIMARYKEY")),
            SQLFragment("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(HistorySchema.changeNumber)"))
        for row in Bookkeeping.entityRows(target.schema, highestKeys: moves.highestKeys) {
            plan.run("note the entities", .inserts, row)
        }
    }
}
