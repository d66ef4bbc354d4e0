import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that drops indexes and makes those of the new model.
///
/// It comes after the last change of a value, because a unique index would fail on values that are equal for
/// a while, and after `LeftoverRemoval`, because dropped tables take their indexes with them.
struct IndexArrangement {
    let change: SchemaChange
    let store: EvolvingStore

    /// Drops and makes indexes.
    ///
    /// Indexes that are as they should be stay, since making one takes a pass over its table.
    func add(to plan: inout MigrationPlan) {
        let present = dropUnfit(&plan)
        for index in change.target.indexes where !present.contains(index.name) {
            if isLeft(index) { leave(index, &plan) } else { make(index, &plan) }
        }
    }

    /// Returns whether `SQLBackend.finishMigration` makes an index: that of a table to which programs with the
    /// former model write.
    private func isLeft(_ index: IndexDefinition) -> Bool {
        change.isDeferred && change.dialect.makesIndexesConcurrently
            && formerTables.contains { store[$0].name == index.table }
    }

    /// Checks the rows of an index that is made later. As long as it is not there, it does not keep writers
    /// from breaking its rule.
    private func leave(_ index: IndexDefinition, _ plan: inout MigrationPlan) {
        guard let constraint = index.constraint else { return }
        let entity = change.evolution.destination[constraint.entity]
        let queries = PrecheckQueries(change: change)
        guard let shared = queries.migratedRowsThatShare(constraint.properties, of: entity) else {
            return make(index, &plan)
        }
        plan.require(
            .unique, entity.name, constraint.properties.joined(separator: ", "), none: shared,
            precheck: queries.rowsThatShare(constraint.properties, of: entity))
    }

    private var formerTables: Set<SQLIdentifier> {
        Set(change.formerEntities.map(\.tableName) + change.source.joinTables.map(\.name))
    }

    /// Drops the indexes that are not as they should be, and returns the names of the others.
    private func dropUnfit(_ plan: inout MigrationPlan) -> Set<SQLIdentifier> {
        let wanted = Dictionary(
            change.target.indexes.map { ($0.name, SQLWords($0.statement.sql)) },
            uniquingKeysWith: { first, _ in first })
        let tables = formerTables
        var present: Set<SQLIdentifier> = []
        for index in change.details.indexes where tables.contains(index.table) {
            if index.isValid, !isOnRenamed(index), wanted[index.name] == SQLWords(index.sql) {
                present.insert(index.name)
            } else {
                plan.run("drop indexes", .definition, "DROP INDEX IF EXISTS \(index.name)")
            }
        }
        return present
    }

    private func make(_ index: IndexDefinition, _ plan: inout MigrationPlan) {
        let model = change.evolution.destination
        guard let constraint = index.constraint, let violation = index.violation(in: model) else {
            return plan.run("make indexes", .scans(index.table), index.statement)
        }
        let entity = model[constraint.entity]
        plan.constrain(
            "make indexes", .scans(index.table), index.statement, violation,
            precheck: PrecheckQueries(change: change).rowsThatShare(constraint.properties, of: entity))
    }

    /// Returns whether an index is on a table or column that has been renamed or removed.
    private func isOnRenamed(_ index: MigrationCatalog.Definition) -> Bool {
        let table = store[index.table]
        guard table.name == index.table else { return true }
        let changed = table.renamedColumns + (store.leftovers[index.table] ?? [])
        return changed.contains { index.names($0) }
    }
}
