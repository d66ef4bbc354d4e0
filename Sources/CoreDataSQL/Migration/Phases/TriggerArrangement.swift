import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The phase that drops triggers before anything is written. After all values are written it makes those of
/// the new model, with the spatial indexes.
struct TriggerArrangement {
    private static let prefixes = ["Z_DA_", "Z_RT_", SearchTable.prefix]

    let change: SchemaChange

    private var ownTriggers: [MigrationCatalog.Definition] {
        change.details.triggers.filter { trigger in
            Self.prefixes.contains { trigger.name.name.hasPrefix($0) }
        }
    }

    func drop(_ plan: inout MigrationPlan) {
        for trigger in ownTriggers {
            plan.run("drop triggers", .definition, SQLFragment("DROP TRIGGER \(trigger.name)"))
        }
    }

    /// Makes spatial indexes and triggers.
    ///
    /// Full-text indexes of tables that have changed are made anew when the store is opened.
    func make(_ plan: inout MigrationPlan, _ store: EvolvingStore) {
        let spatial = spatialIndexes
        arrange(spatial, &plan, store)
        for trigger in change.target.derivedTriggers + spatial.flatMap(\.triggers) {
            plan.run("make triggers", .definition, trigger)
        }
        for trigger in ownTriggers
        where trigger.name.name.hasPrefix(SearchTable.prefix) && !store.reindexed.contains(trigger.table) {
            plan.run("make triggers", .definition, SQLFragment(trigger.sql))
        }
    }

    // MARK: Spatial indexes

    /// The spatial indexes of the new model by name, each once.
    private var spatialIndexes: [SpatialIndexDefinition] {
        Dictionary(
            change.target.spatialIndexes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }
        )
        .values.sorted(by: \.name)
    }

    private func arrange(
        _ wanted: [SpatialIndexDefinition], _ plan: inout MigrationPlan, _ store: EvolvingStore
    ) {
        let former = change.source.spatialTables
        let kept = Set(wanted.filter { isKept($0, store) }.map(\.name))
        for name in former.sorted() where !kept.contains(name) {
            plan.run("drop spatial indexes", .definition, SQLFragment("DROP TABLE \(name)"))
        }
        for index in wanted where !former.contains(index.name) || !kept.contains(index.name) {
            plan.run("make spatial indexes", .creates(index.name), index.table)
            plan.run("make spatial indexes", .copies(from: index.source, to: index.name), index.fill)
        }
    }

    /// Returns whether the store has a spatial index with the right rows.
    private func isKept(_ index: SpatialIndexDefinition, _ store: EvolvingStore) -> Bool {
        guard let base = change.moves.bases[index.source], !store.reindexed.contains(base),
            let wanted = index.triggers.first
        else { return false }
        return change.details.triggers.contains { SQLWords($0.sql) == SQLWords(wanted.sql) }
    }
}
