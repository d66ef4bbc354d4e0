package import CoreDataModelFormat
package import CoreDataValues
package import Foundation

/// The stores that one database driver keeps in files, and the operations on a store as a whole.
///
/// The framework does not depend on a driver: a driver implements this protocol, and the linker connects the
/// two, so that both can be compiled at the same time.
package protocol DatabaseStores: SendableMetatype {
    associatedtype Backend: DatabaseBackend
    associatedtype Reservation: StoreReserving
    associatedtype Associations: AssociationRecord

    // MARK: Without a model

    /// Returns whether a file is a database of this kind, whichever program made it. Throws if that is
    /// unknown.
    static func isDatabase(at path: String, timeout: Double) throws(StoreError) -> Bool
    /// Returns the metadata of a store, a binary property list; nil where a store can be made.
    static func metadata(at path: String, timeout: Double) throws(StoreError) -> StoredMetadata?
    /// Changes the metadata of a store in one transaction. The store need not be open.
    static func changeMetadata(
        at path: String, timeout: Double, _ change: (StoredMetadata) throws(StoreError) -> Data
    ) throws(StoreError)
    /// Returns the archived model that a store contains, decompressed; nil for stores without one.
    static func modelCache(at path: String) throws(StoreError) -> Data?

    // MARK: With a model

    /// Makes a store where there is none. Throws an error of kind `overtaken` where there is one.
    static func create(
        at path: String, model: CompiledModel, layouts: RowLayouts?, subset: Set<EntityIndex>?,
        metadata: Data, uuid: String, modelCache: Data?, options: SQLiteStoreOptions
    ) throws(StoreError) -> Backend
    /// Opens a store whose tables fit the model. Throws an error of kind `overtaken` if its metadata is not
    /// the expected one.
    static func open(
        at path: String, expecting expected: StoredMetadata?, model: CompiledModel, layouts: RowLayouts?,
        subset: Set<EntityIndex>?, options: SQLiteStoreOptions
    ) throws(StoreError) -> Backend

    // MARK: Migrations

    /// Migrates a store in place, in one transaction.
    static func migrate(
        _ migration: StoreMigration, at path: String, expecting expected: StoredMetadata,
        options: SQLiteStoreOptions, prepare: () throws(StoreError) -> Void, announce: (String) -> Void
    ) throws(StoreError)
    /// Plans a migration and counts the objects that it concerns. The store is not changed.
    static func survey(_ migration: StoreMigration, at path: String) throws(StoreError) -> MigrationSurvey
    /// Makes an empty record, in a temporary database that is removed with it.
    static func recordAssociations() throws(StoreError) -> Associations

    // MARK: Files

    /// Returns the paths of everything that belongs to a store.
    static func files(of path: String) -> [String]
    /// Replaces the target by a copy of the source.
    static func copy(from source: String, to target: String, timeout: Double) throws(StoreError)
    /// Moves a finished and closed store to another place. Replaces anything there, unless the place must be
    /// free.
    static func move(_ draft: String, to target: String, timeout: Double, mustBeFree: Bool) throws(StoreError)
    /// Keeps other connections from writing to a store.
    static func reserve(_ path: String, timeout: Double) throws(StoreError) -> Reservation
    /// Removes a store.
    static func destroy(at path: String, timeout: Double, isForced: Bool) throws(StoreError)
    /// Replaces a database by a file of another kind, once all connections to the database are closed.
    static func giveWay(
        at path: String, timeout: Double, _ replace: () throws(StoreError) -> Void
    ) throws(StoreError)
    /// Removes the external files that a dead process left where there is no database.
    static func removeExternalFiles(leftAt path: String)

    // MARK: Statements

    /// Reports every later statement of the process, with the path of its store, as lines of a log.
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
    /// Drops the tables and columns that a migration has set aside: all of them, or the next one.
    ///
    /// - Returns: Whether any are left.
    func finishMigration(isWhole: Bool) throws(StoreError) -> Bool
}

/// The reservation of a store while a copy of it is made that then replaces it. No other connection writes to
/// the store meanwhile.
package protocol StoreReserving: AnyObject {
    /// Moves a finished and closed store to the place of the reserved one. Throws an error of kind
    /// `overtaken`, and leaves the reserved store alone, if another connection has written to it.
    func move(_ draft: String) throws(StoreError)
    /// Lets other connections write again.
    func end()
}
