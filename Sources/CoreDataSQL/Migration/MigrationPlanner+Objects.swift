import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

// What a store has beside its tables: triggers, indexes, the rows that name its entities.
extension MigrationPlanner {
    private static let triggerPrefixes = ["Z_DA_", "Z_RT_", SearchTable.prefix]

    private var ownTriggers: [MigrationCatalog.Definition] {
        details.triggers.filter { trigger in Self.triggerPrefixes.contains { trigger.name.hasPrefix($0) } }
    }

    /// They would fire on what the migration writes, and keep columns from being dropped.
    mutating func dropTriggers() {
        for trigger in ownTriggers {
            plan.run("set triggers aside", SQLFragment("DROP TRIGGER \(quoted(trigger.name))"))
        }
    }

    mutating func arrangeTriggers() {
        let spatial = Dictionary(
            target.spatialIndexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let former = source.spatialTables
        for name in former.sorted() where spatial[name].map({ !isKept($0) }) ?? true {
            plan.run("drop spatial indexes", SQLFragment("DROP TABLE \(quoted(name))"))
        }
        for (name, index) in spatial.sorted(by: { $0.key < $1.key })
        where !former.contains(name) || !isKept(index) {
            plan.run("make spatial indexes", index.table)
            plan.run("make spatial indexes", index.fill)
        }
        for trigger in target.derivedTriggers
            + spatial.sorted(by: { $0.key < $1.key }).flatMap(\.value.triggers)
        {
            plan.run("make triggers", trigger)
        }
        // The full-text indexes of tables that have changed are made anew when the store is opened.
        for trigger in ownTriggers
        where trigger.name.hasPrefix(SearchTable.prefix) && !rebuilt.contains(trigger.table) {
            plan.run("make triggers", SQLFragment(trigger.sql))
        }
    }

    /// Whether the rows of a spatial index are those it is to have.
    private func isKept(_ index: SpatialIndexDefinition) -> Bool {
        guard let base = moves.bases[index.source], !rebuilt.contains(base) else { return false }
        let rows = details.triggers.first { $0.name == index.name + "_INSERT" }
        return rows.map { Self.normalized($0.sql) } == index.triggers.first.map { Self.normalized($0.sql) }
    }

    // MARK: Indexes

    /// Indexes that are as they should be stay: making one costs as much as its table has rows.
    mutating func arrangeIndexes(_ columns: [String: [TargetColumn]]) {
        var wanted: [String: SQLFragment] = [:]
        for index in target.indexes { wanted[Self.indexName(index.sql)] = index }
        var present: Set<String> = []
        let tables = Set(source.entities.compactMap { $0?.tableName } + source.joinTables.map(\.name))
        for index in details.indexes where tables.contains(index.table) {
            let isSame =
                !rebuiltColumns(of: index)
                && wanted[index.name].map { Self.normalized($0.sql) == Self.normalized(index.sql) } ?? false
            if isSame {
                present.insert(index.name)
            } else {
                plan.run("drop indexes", SQLFragment("DROP INDEX IF EXISTS \(quoted(index.name))"))
            }
        }
        for index in target.indexes {
            let name = Self.indexName(index.sql)
            if present.contains(name) { continue }
            if let constraint = constraint(of: name) {
                plan.constrain(
                    "make indexes", index, constraint.violation,
                    forecast: rowsThatShare(constraint.properties, of: constraint.entity, columns))
            } else {
                plan.run("make indexes", index)
            }
        }
    }

    /// Whether the index is on a table or column that has another name by now.
    private func rebuiltColumns(of index: MigrationCatalog.Definition) -> Bool {
        let table = current(index.table)
        guard table.name == index.table else { return true }
        let changed = table.columns.filter { $0.key != $0.value }.keys + (leftovers[index.table] ?? [])
        return changed.contains { index.names($0) }
    }

    private struct Constraint {
        let entity: CompiledEntity
        let properties: [String]

        var violation: MigrationViolation {
            MigrationViolation(
                entity: entity.name, property: properties.joined(separator: ", "), rule: .unique)
        }
    }

    /// The uniqueness constraint that an index keeps.
    private func constraint(of index: String) -> Constraint? {
        for entity in evolution.destination.entities {
            let constraints = entity.element.uniquenessConstraints
            if let names = constraints.first(where: { IndexCompiler.name(of: $0, entity.name) == index }) {
                return Constraint(entity: entity, properties: names)
            }
        }
        return nil
    }

    private static func indexName(_ sql: String) -> String {
        let words = sql.split(separator: " ")
        return words.firstIndex(of: "INDEX").map { String(words[$0 + 1]) } ?? ""
    }

    /// A definition without what may be written in several ways.
    private static func normalized(_ sql: String) -> String {
        sql.replacing("\"", with: "").split { $0 == " " || $0 == "\n" || $0 == "\t" }.joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")")
    }

    // MARK: Entities

    mutating func rewriteEntityRows() {
        plan.run(
            "note the entities",
            SQLFragment("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(String(HistorySchema.changeNumber))"))
        for row in Bookkeeping.entityRows(target.schema, highestKeys: moves.highestKeys) {
            plan.run("note the entities", row)
        }
    }
}
