package import CoreDataModelFormat
package import CoreDataStore
package import Foundation

/// The planning of a migration in place: `two schemas -> statements`.
///
/// Pure.
///
/// Tables, columns and join tables that the new model takes over are renamed, which costs nothing; new ones
/// are added and filled; others are dropped in the end, when nothing needs them any more. Rows are written
/// only where a value changes: a default, another type, another entity number, another place in the
/// hierarchy. A change that SQL cannot express throws `inexpressible`: such a store is migrated by copying
/// it.
package struct MigrationPlanner {
    private let change: SchemaChange

    package init(
        _ evolution: ModelEvolution, from source: StoreSchema, to target: NewStoreSchema,
        catalog: StoreCatalog, details: MigrationCatalog, transformedDefaults: [String: Data] = [:],
        isDeferred: Bool = false
    ) {
        change = SchemaChange(
            evolution, from: source, to: target, catalog: catalog, details: details,
            transformedDefaults: transformedDefaults, isDeferred: isDeferred)
    }

    /// Returns the plan: the steps of all phases, each of which relies on those before it.
    ///
    /// Each phase reads the change, and the store as the phases before it leave it. Only those that are given
    /// `&store` change what later phases see there.
    ///
    /// - Throws: `inexpressible` if two relationships become each other's inverse and were not.
    package func planned() throws(StoreError) -> MigrationPlan {
        try RelationshipCheck(change: change).requireOneOrigin()
        var plan = MigrationPlan()
        plan.keyMoves = KeyMoves(change)
        var store = EvolvingStore(change.catalog, change.dialect)

        // Triggers go first: they would fire on what the migration writes, and keep columns from being
        // dropped.
        let triggers = TriggerArrangement(change: change)
        triggers.drop(&plan)

        // The rows of the old model, under its names. Objects that have no entity any more go before their
        // numbers are given to other entities. All later conditions name entities by their new numbers.
        ObjectRemoval(change: change).add(to: &plan)
        EntityRenumbering(change: change).add(to: &plan)

        // The definitions. Tables come first, since columns are renamed and added under the new names of
        // their tables. From here on old tables have the columns of both models.
        TableArrangement(change: change).add(to: &plan, &store)
        ColumnArrangement(change: change).add(to: &plan, &store)

        // The values that the store has. References get the keys that rows are going to have before they are
        // computed or copied, and while the rows that they lead to are still found under their old keys.
        // Files are checked before the first value is read from them.
        KeyShift(change: change, store: store).add(to: &plan)
        FileCheck(change: change, store: store).add(to: &plan)
        ColumnComputation(change: change, store: store).add(to: &plan)

        // Rows get to their tables before relationships are filled, which write to all rows of a table. Old
        // links are read from the old rows, which stay until then.
        let transfer = RowTransfer(change: change, store: store)
        transfer.copyRows(&plan)
        JoinTableFill(change: change, store: store).add(to: &plan)
        KeyColumnFill(change: change, store: store).add(to: &plan)
        transfer.removeCopiedRows(&plan)

        // Defaults go to rows that got no value before, and rules are checked when each row has all of its
        // values.
        ValueFill(change: change).add(to: &plan, &store)

        // Nothing reads the old columns and tables any more. Indexes wait for the last values, since unique
        // ones would fail before, and for the columns that are dropped, which must not be indexed.
        LeftoverRemoval(change: change).add(to: &plan, &store)
        IndexArrangement(change: change, store: store).add(to: &plan)

        // Derived values come after the triggers, which bring them into the full-text and spatial indexes.
        triggers.make(&plan, store)
        DerivedFill(change: change).add(to: &plan)

        // Nothing above reads the history or the rows that name the entities.
        HistoryRewrite(change: change).add(to: &plan)
        EntityRows(change: change).add(to: &plan)
        return plan
    }
}
