import CoreDataModelFormat
package import CoreDataStore

/// The spelling of definitions, and the reading of those that a database has.
package protocol SchemaDialect: ColumnDialect {
    // MARK: Definitions

    /// The type that a column is declared with.
    func type(of column: ColumnType) -> SQLText
    /// Spells the columns of an index, with their directions. Of texts, an index may have only the beginning;
    /// one that enforces a constraint then has a digest of each longer text, too.
    func indexed(_ columns: [IndexedColumn], isUnique: Bool) -> SQLText
    /// Returns the definitions of what every store has beside the tables of its entities (`Bookkeeping`).
    func bookkeeping(_ schema: StoreSchema) -> [SQLFragment]
    /// The greatest number of bytes of a name; nil if names may have any length.
    var longestName: Int? { get }
    /// The end of the name of the index that enforces a table's primary key, if it is in the namespace of
    /// tables.
    var primaryKeySuffix: String? { get }
    /// Whether triggers keep derived attributes that are no function of the row's texts.
    var derivesByTriggers: Bool { get }
    /// Returns the derived attributes that writes compute of other rows; nil if there are none, or if triggers
    /// do.
    func derivedTotals(_ schema: StoreSchema) -> DerivedTotals?
    /// Returns the triggers that keep derived attributes and spatial indexes of an entity.
    ///
    /// Throws if a derived attribute cannot be kept.
    func keepers(of table: EntityTable, in schema: StoreSchema) throws(StoreError) -> EntityKeepers
    /// Whether spatial indexes are tables, which a save keeps. If not, their attributes have plain indexes.
    var hasSpatialTables: Bool { get }
    /// Returns the statements that make a full-text index, by the names of what they make.
    func definitions(of index: SearchTable) -> [(name: SQLIdentifier, statement: SQLText)]
    /// Returns the statement that sets the words of rows in a full-text index: the keys of the rows and, for
    /// each column, a text of the words of each row. Nil if triggers find the words.
    func wordUpdate(of index: SearchTable) -> SQLText?
    /// The column by which a database finds a row of any table fastest, as long as nothing else is written.
    var rowID: SQLText { get }

    /// The form of a history.
    var historyForm: HistoryForm { get }
    /// Whether large values lie in files beside the database (`StoreSchema.keepsExternalFiles`).
    var keepsExternalFiles: Bool { get }

    // MARK: Catalog

    /// Reads the tables of a store that has the bookkeeping.
    func catalog(on connection: any SQLConnection) throws(SQLError) -> StoreCatalog
    /// Reads which tables have triggers.
    func triggeredTables(on connection: any SQLConnection) throws(SQLError) -> TriggeredTables
    /// Reads the definitions of indexes and triggers.
    func definitions(
        on connection: any SQLConnection
    ) throws(SQLError) -> (
        indexes: [MigrationCatalog.Definition], triggers: [MigrationCatalog.Definition]
    )
}
