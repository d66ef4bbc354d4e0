package import CoreDataModelFormat
package import CoreDataStore

/// The spelling of what a migration in place does to definitions and rows.
package protocol MigrationDialect: Sendable {
    // MARK: Definitions

    /// Whether a migration gives each entity the number that it has in a new store. Otherwise entities keep
    /// their numbers, so that programs with the former model can go on.
    var renumbersEntities: Bool { get }
    /// Whether an index can be made while others write to its table (`IndexDefinition.concurrentStatement`).
    var makesIndexesConcurrently: Bool { get }
    /// Returns the statements that rename a table, and then all that is named after it.
    func renames(of table: SQLIdentifier, to name: SQLIdentifier) -> [SQLText]
    /// Returns the definitions of what the table of an inheritance tree has beside it.
    func companions(of table: SQLIdentifier) -> [SQLText]
    /// Returns the statement that gives a join table its primary key anew, after its columns have changed their
    /// roles; nil where the key of a table cannot be changed.
    func keyArrangement(of table: JoinTable) -> SQLText?

    // MARK: Keys

    /// Spells the highest key that has been handed out for the rows of a table, as far as the database knows
    /// it without reading the rows.
    func handedOutKey(of table: EntityTable) -> SQLFragment
    /// Returns the statements that note the entities of a store.
    ///
    /// - Parameters:
    ///   - highestKeys: The keys handed out so far, by table.
    ///   - raised: The tables whose highest keys the migration has raised.
    func entityRows(
        _ schema: StoreSchema, highestKeys: [SQLIdentifier: Int64], raised: Set<SQLIdentifier>
    ) -> [SQLFragment]

    // MARK: Values

    /// Spells a select in the place of a table. Some databases want a name for it.
    func nested(_ select: SQLText) -> SQLText
    /// Selects of links, which have columns `o`, `m` and `p`, one for each `m`: that with the highest `o`.
    func lastOwners(of links: SQLText) -> SQLText
    /// Spells a value in another type.
    func converted(_ value: SQLText, by conversion: ValueConversion) -> SQLText
    /// Returns the computation of a derived attribute; nil if the database cannot derive it.
    func derivedValue(
        of slot: PropertySlot, _ entity: CompiledEntity, in schema: StoreSchema
    ) -> DerivedValue?
}

/// The way in which a migration computes the values of a derived attribute.
package enum DerivedValue {
    /// An expression for a row of the entity's table, which the statement calls by another name if need be.
    case expression(SQLText, alias: SQLText? = nil)
    /// A text that this process computes from a column of the row.
    case text(Derivation.TextForm, of: SQLIdentifier)
}
