import CoreDataStore

/// The phase that writes the new model's entities, with the highest keys of their tables, to Z_PRIMARYKEY
/// (sqlite-store §3).
struct EntityRows {
    let change: SchemaChange

    func add(to plan: inout MigrationPlan) {
        plan.run(
            "note the entities", .scans(SQLIdentifier("Z_PRIMARYKEY")),
            "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(HistorySchema.changeNumber)")
        let rows = change.dialect.entityRows(
            change.target.schema, highestKeys: change.moves.highestKeys,
            raised: Set(change.moves.copies.map(\.newTable)))
        for row in rows {
            plan.run("note the entities", .inserts, row)
        }
    }
}
