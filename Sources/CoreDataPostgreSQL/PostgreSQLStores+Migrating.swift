import CoreDataLibpq
import CoreDataSQL
package import CoreDataStore

extension PostgreSQLStores {
    /// Migrates a store in one transaction. If it fails, or the process dies, the store is as before.
    ///
    /// Nobody else writes meanwhile. Others can read the tables whose definitions stay.
    package static func migrate(
        _ migration: StoreMigration, at place: String, expecting expected: StoredMetadata,
        options: DatabaseOptions, prepare: () throws(StoreError) -> Void, announce: (String) -> Void
    ) throws(StoreError) {
        let connection = try self.options(place)
        guard !options.isReadOnly else {
            throw StoreError(
                .readOnly, "a store that is opened read-only cannot be migrated", path: connection.description
            )
        }
        try using(connection, options.timeout) { session throws(StoreError) in
            let stored = try translated(connection) { () throws(SQLError) in
                try session.begin(.immediate)
                try AdvisoryLock.schema.lockForTransaction(session)
                return try metadata(on: session)
            }
            guard stored == expected else { throw overtaken(connection) }
            try prepare()
            let grants = try translated(connection) { () throws(SQLError) in
                // The next opening of the store makes them anew.
                try SearchUpkeep.dropAll(on: session)
                // A column that a view shows cannot be dropped.
                return try ReadableViews.drop(on: session)
            }
            let inPlace = InPlaceMigration(migration, dialect, on: session, path: connection.description)
            let source = try inPlace.source()
            try translated(connection) { () throws(SQLError) in
                try StoreTables.lock(on: session)
                for table in Set(source.schema.entities.compactMap({ $0?.tableName })).sorted() {
                    try session.execute(KeySequences.lock(for: table))
                }
            }
            let plan = try inPlace.run(source, announce: announce)
            // The server compresses large values itself.
            try inPlace.stamp(plan, modelCache: migration.modelCache)
            let migrated = try inPlace.migrated()
            try translated(connection) { () throws(SQLError) in
                try TableComments(migrated).set(on: session)
                try ReadableViews(migrated).make(grants, on: session)
                try session.commit()
            }
        }
    }

    /// Plans a migration and counts, in one read transaction. The store is not changed.
    package static func survey(
        _ migration: StoreMigration, at place: String
    ) throws(StoreError) -> MigrationSurvey {
        let connection = try options(place)
        return try using(connection, DatabaseOptions().timeout) { session throws(StoreError) in
            try translated(connection) { () throws(SQLError) in try session.begin(.deferred) }
            return try InPlaceMigration(
                migration, dialect, on: session, path: connection.description
            ).survey()
        }
    }
}
