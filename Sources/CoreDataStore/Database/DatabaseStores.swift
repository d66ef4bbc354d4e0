package import CoreDataModelFormat
package import CoreDataValues
package import Foundation

/// The stores in one kind of database, as files: what a file is, and what can be done with it as a whole.
///
/// The framework knows no database: a driver has this, and the linker brings the two together, so that both
/// are compiled at the same time.
package protocol DatabaseStores: SendableMetatype {
    associatedtype Backend: DatabaseBackend
    associatedtype Reservation: StoreReserving
    associatedtype Associations: AssociationRecord

    // MARK: Without a model

    /// Returns whether a file is such a database, of whatever program. Throws if it cannot be told.
    static func isDatabase(at path: String, timeout: Double) throws(StoreError) -> Bool
    /// Returns the metadata of a store, a binary property list; nil where one can be made.
    static func metadata(at path: String, timeout: Double) throws(StoreError) -> StoredMetadata?
    /// Changes the metadata of a store that need not be open, in one transaction.
    static func changeMetadata(
        at path: String, timeout: Double, _ change: (StoredMetadata) throws(StoreError) -> Data
    ) throws(StoreError)
    /// Returns the archived model that a store carries, inflated; nil for stores without one.
    static func modelCache(at path: String) throws(StoreError) -> Data?

    // MARK: With a model

    /// Makes a store where none is. Throws an error of kind `overtaken` where one is.
    static func create(
        at path: String, model: CompiledModel, layouts: RowLayouts?, subset: Set<EntityIndex>?,
        metadata: Data, uuid: String, modelCache: Data?, options: SQLiteStoreOptions
    ) throws(StoreError) -> Backend
    /// Opens a store whose tables fit the model. Throws an error of kind `overtaken` if it says of itself
    /// something else than expected.
    static func open(
        at path: String, expecting expected: StoredMetadata?, model: CompiledModel, layouts: RowLayouts?,
        subset: Set<EntityIndex>?, options: SQLiteStoreOptions
    ) throws(StoreError) -> Backend

    // MARK: Migrations

    /// Migrates a store where it lies, in one transaction.
    static func migrate(
        _ migration: StoreMigration, at path: String, expecting expected: StoredMetadata,
        options: SQLiteStoreOptions, prepare: () throws(StoreError) -> Void, announce: (String) -> Void
    ) throws(StoreError)
    /// Plans a migration and counts. The store is not changed.
    static func survey(_ migration: StoreMigration, at path: String) throws(StoreError) -> MigrationSurvey
    /// Makes an empty record, in a database of its own that goes with it.
    static func recordAssociations() throws(StoreError) -> Associations

    // MARK: Files

    /// Returns the paths of everything that belongs to a store.
    static func files(of path: String) -> [String]
    /// Makes one store what another is.
    static func copy(from source: String, to target: String, timeout: Double) throws(StoreError)
    /// Has a store that is finished and closed take the place of whatever lies elsewhere.
    static func move(_ draft: String, to target: String, timeout: Double, mustBeFree: Bool) throws(StoreError)
    /// Keeps other connections from writing to a store.
    static func reserve(_ path: String, timeout: Double) throws(StoreError) -> Reservation
    /// Removes a store.
    static func destroy(at path: String, timeout: Double, isForced: Bool) throws(StoreError)
    /// Replaces a database by a file of another kind, once all connections to the database are closed.
    static func giveWay(
        at path: String, timeout: Double, _ replace: () throws(StoreError) -> Void
    ) throws(StoreError)
    /// Removes external files that a process which died has left where no database is.
    static func removeExternalFiles(leftAt path: String)

    // MARK: Statements

    /// Reports every statement of the process from now on, with the path of its store, as lines of a log.
    static func listen(
        _ detail: StatementDetail, _ sink: @escaping @Sendable (_ path: String, _ lines: [String]) -> Void
    ) -> any StatementListener
}

/// An open store in a database.
package protocol DatabaseBackend: StoreBackend {
    /// Changes the store's metadata in one transaction.
    ///
    /// - Parameter change: Returns the new metadata, a binary property list, given the present one.
    func changeMetadata(_ change: (Data) throws(StoreError) -> Data) throws(StoreError)
    /// Drops what a migration has put aside: all of it, or the next piece.
    ///
    /// - Returns: Whether anything is left.
    func finishMigration(isWhole: Bool) throws(StoreError) -> Bool
}

/// A store that no other connection writes to while a copy of it is made, which then takes its place.
package protocol StoreReserving: AnyObject {
    /// Has a store that is finished and closed take the place of the reserved one. Throws an error of kind
    /// `overtaken`, and leaves the store alone, if another connection has written to it.
    func move(_ draft: String) throws(StoreError)
    /// Lets other connections write again.
    func end()
}
