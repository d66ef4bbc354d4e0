import CoreDataSQL
package import CoreDataStore
import Foundation

extension SQLiteStores {
    /// Migrates a store to another model in one transaction. If it fails, or the process dies, the store is
    /// as before.
    ///
    /// - Parameters:
    ///   - migration: The target.
    ///   - path: The path of the store.
    ///   - expected: The metadata that was read before. If the store has other metadata now, since another
    ///     process has migrated it, an error of kind `overtaken` is thrown.
    ///   - prepare: Called before the first step, when no other connection can write any more.
    ///   - announce: Called with each step before the step is run.
    package static func migrate(
        _ migration: StoreMigration, at path: String, expecting expected: StoredMetadata,
        options: DatabaseOptions = DatabaseOptions(),
        prepare: () throws(StoreError) -> Void = {},
        announce: (String) -> Void = { _ in }
    ) throws(StoreError) {
        guard !options.isReadOnly else {
            throw StoreError(.readOnly, "a store that is opened read-only cannot be migrated", path: path)
        }
        try StoreFile.requireWritable(path)
        let connection = try translated(path) { () throws(SQLError) in
            let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: options.timeout)
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            try connection.begin(.immediate)
            try connection.trustIndexes()
            return connection
        }
        defer { connection.close() }
        do throws(StoreError) {
            let stored = try translated(path) { () throws(SQLError) in try metadata(on: connection) }
            guard stored == expected else { throw overtaken(path) }
            try prepare()
            let inPlace = InPlaceMigration(migration, SQLiteDialect(), on: connection, path: path)
            // A step may have made an index that later steps write to.
            let plan = try inPlace.run(try inPlace.source(), announce: announce) { () throws(SQLError) in
                try connection.trustIndexes()
            }
            try inPlace.stamp(plan, modelCache: migration.modelCache.flatMap(Deflate.compress))
            try translated(path) { () throws(SQLError) in try connection.commit() }
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Plans a migration and counts the objects that it concerns, in one read transaction. The store is not
    /// changed.
    package static func survey(
        _ migration: StoreMigration, at path: String
    ) throws(StoreError) -> MigrationSurvey {
        let connection = try inspect(path)
        defer { connection.close() }
        try translated(path) { () throws(SQLError) in try connection.begin(.deferred) }
        defer { connection.rollback() }
        return try InPlaceMigration(migration, SQLiteDialect(), on: connection, path: path).survey()
    }
}
