package import CoreDataModelFormat
package import CoreDataValues
package import Foundation

/// The stores that one database driver keeps, and the operations on a store as a whole.
///
/// The place of a store is the path of a file, or the URL of a database on a server. The framework does not
/// depend on a driver: a driver implements this protocol.
package protocol DatabaseStores: SendableMetatype {
    associatedtype Backend: DatabaseBackend

    // MARK: Without a model

    /// Returns the metadata of a store, a binary property list; nil where a store can be made.
    static func metadata(at place: String, timeout: Double) throws(StoreError) -> StoredMetadata?
    /// Changes the metadata of a store in one transaction. The store need not be open.
    static func changeMetadata(
        at place: String, timeout: Double, _ change: (StoredMetadata) throws(StoreError) -> Data
    ) throws(StoreError)
    /// Returns the archived model that a store contains, decompressed; nil for stores without one.
    static func modelCache(at place: String) throws(StoreError) -> Data?

    // MARK: With a model

    /// Makes a store where there is none. Throws an error of kind `overtaken` where there is one.
    static func create(
        at place: String, model: CompiledModel, layouts: RowLayouts?, subset: Set<EntityIndex>?,
        metadata: Data, uuid: String, modelCache: Data?, options: DatabaseOptions
    ) throws(StoreError) -> Backend
    /// Opens a store whose tables fit the model. Throws an error of kind `overtaken` if its metadata is not
    /// the expected one.
    static func open(
        at place: String, expecting expected: StoredMetadata?, model: CompiledModel, layouts: RowLayouts?,
        subset: Set<EntityIndex>?, options: DatabaseOptions
    ) throws(StoreError) -> Backend

    // MARK: Migrations

    /// Migrates a store in place, in one transaction.
    static func migrate(
        _ migration: StoreMigration, at place: String, expecting expected: StoredMetadata,
        options: DatabaseOptions, prepare: () throws(StoreError) -> Void, announce: (String) -> Void
    ) throws(StoreError)
    /// Plans a migration and counts. The store is not changed.
    static func survey(_ migration: StoreMigration, at place: String) throws(StoreError) -> MigrationSurvey

    /// Waits for other threads and processes that hold the same, and has them wait until the result is
    /// released or the process ends. It is held during the stages of a staged migration.
    static func reserveStages(at place: String, timeout: Double) throws(StoreError) -> AnyObject

    // MARK: Moving and removing

    /// Keeps other connections from writing to a store.
    static func reserve(_ place: String, timeout: Double) throws(StoreError) -> any StoreReserving

    /// Makes a place for a store that is completed before it moves to another place.
    static func draft(for place: String, timeout: Double) throws(StoreError) -> any DraftPlace
    /// Moves a finished and closed store to another place. Replaces anything there, unless the place must be
    /// free.
    static func move(_ draft: String, to target: String, timeout: Double, mustBeFree: Bool) throws(StoreError)
    /// Removes a store.
    static func destroy(at place: String, timeout: Double, isForced: Bool) throws(StoreError)

    // MARK: Statements

    /// Reports every later statement of the process, with the place of its store, as lines of a log.
    static func listen(
        _ detail: StatementDetail, _ sink: @escaping @Sendable (_ place: String, _ lines: [String]) -> Void
    ) -> any StatementListener
    /// Reports every later statement of the process as it ends, on the thread that runs it.
    static func observe(_ sink: @escaping @Sendable (StatementRecord) -> Void) -> any StatementListener
}

/// A place at which a store is completed before it moves to another place. What is still there when the
/// object goes is removed.
package protocol DraftPlace: AnyObject {
    var url: URL { get }
}

/// An open store in a database.
package protocol DatabaseBackend: StoreBackend {
    /// Changes the store's metadata in one transaction.
    ///
    /// - Parameter change: Returns the new metadata, a binary property list, given the present one.
    func changeMetadata(_ change: (Data) throws(StoreError) -> Data) throws(StoreError)
    /// Drops the tables and columns that a migration has set aside: all of them, or the next one.
    ///
    /// - Returns: Whether any are left.
    func finishMigration(isWhole: Bool) throws(StoreError) -> Bool
    /// Makes the indexes of the model that the store lacks, but for those that enforce a rule.
    func makeMissingIndexes() throws(StoreError)
}
