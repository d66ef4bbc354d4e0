import CoreDataModelFormat
import CoreDataSQL
package import CoreDataStore
import CoreDataValues
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
            let source = try migration.source(connection, path)
            let plan = try migration.plan(source, connection, path)
            try migration.verifying(source.schema, connection, path) { () throws(StoreError) in
                for step in plan.steps {
                    announce(step.description)
                    try connection.run(step, path)
                    // A step may have made an index that later steps write to.
                    try translated(path) { () throws(SQLError) in try connection.trustIndexes() }
                }
            }
            try translated(path) { () throws(SQLError) in
                try migration.stamp(connection)
                try connection.commit()
            }
        } catch {
            connection.rollback()
            throw error
        }
    }
}

extension StoreMigration {
    /// Returns the schema of the store, from its model and the connection.
    func source(
        _ connection: SQLiteConnection, _ path: String
    ) throws(StoreError) -> (catalog: StoreCatalog, schema: StoreSchema) {
        let catalog = try SQLiteStores.translated(path) { () throws(SQLError) in
            try SQLiteDialect().catalog(on: connection)
        }
        return try located(path) { () throws(StoreError) in
            let probe = SchemaProbe(
                evolution.source, catalog: catalog, subset: sourceSubset, dialect: SQLiteDialect())
            return (catalog, try probe.schema())
        }
    }

    func plan(
        _ source: (catalog: StoreCatalog, schema: StoreSchema), _ connection: SQLiteConnection, _ path: String
    ) throws(StoreError) -> MigrationPlan {
        try located(path) { () throws(StoreError) in
            let target = try SchemaCompiler(
                evolution.destination, subset: subset, dialect: SQLiteDialect()
            ).compile()
            let details = try SQLiteStores.translated(path) { () throws(SQLError) in
                try MigrationCatalog(
                    reading: connection, source.schema, source.catalog, SQLiteDialect())
            }
            return try MigrationPlanner(
                evolution, from: source.schema, to: target, catalog: source.catalog, details: details,
                transformedDefaults: transformedDefaults, isDeferred: isDeferred
            ).planned()
        }
    }

    /// Runs the migration, and throws if the numbers of objects or related pairs differ afterwards. Their
    /// tables are looked up again afterwards, so that the check does not depend on the plan.
    fileprivate func verifying(
        _ source: StoreSchema, _ connection: SQLiteConnection, _ path: String,
        _ work: () throws(StoreError) -> Void
    ) throws(StoreError) {
        guard isVerified else { return try work() }
        let target = try located(path) { () throws(StoreError) in
            try SchemaCompiler(
                evolution.destination, subset: subset, dialect: SQLiteDialect()
            ).compile().schema
        }
        let holds: MigrationCensus.Holdings = ({ source[$0] != nil }, { target[$0] != nil })
        let before = try MigrationCensus(
            before: evolution, SchemaCount(source, SQLiteDialect(), on: connection, path: path), holds: holds)
        try work()
        let migrated = try located(path) { () throws(StoreError) in
            let catalog = try SQLiteStores.translated(path) { () throws(SQLError) in
                try SQLiteDialect().catalog(on: connection)
            }
            let probe = SchemaProbe(
                evolution.destination, catalog: catalog, subset: subset, dialect: SQLiteDialect())
            return try probe.schema()
        }
        let after = try MigrationCensus(
            after: evolution, SchemaCount(migrated, SQLiteDialect(), on: connection, path: path), holds: holds
        )
        if let loss = before.difference(to: after, in: evolution.destination) {
            throw StoreError(loss, path: path)
        }
    }

    private func located<Result>(
        _ path: String, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw StoreError(error.kind, error.message, path: path, code: error.code, sql: error.sql)
        }
    }

    /// Writes the metadata of the new model into the store.
    fileprivate func stamp(_ connection: SQLiteConnection) throws(SQLError) {
        var statements = [Bookkeeping.updateMetadata(plist: metadata)]
        if let content = modelCache.flatMap(Deflate.compress) {
            statements += [
                "CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)", "DELETE FROM Z_MODELCACHE",
            ]
            statements.append(Bookkeeping.insertModelCache(content))
        }
        for statement in statements { _ = try connection.run(statement) }
    }
}

extension SQLiteConnection {
    fileprivate func run(_ step: MigrationPlan.Step, _ path: String) throws(StoreError) {
        var broken: (rule: MigrationViolation, count: Int?)?
        do throws(SQLError) {
            switch step.action {
            case .run(let fragment): try run(fragment)
            case .releaseExternals(let query): try releaseExternals([query])
            case .require(let query, let rule):
                let rows = try count(query)
                if rows > 0 { broken = (rule, rows) }
            case .constrain(let fragment, let rule):
                do throws(SQLError) {
                    try run(fragment)
                } catch {
                    guard error.kind == .constraint else { throw error }
                    broken = (rule, nil)
                }
            }
        } catch {
            throw StoreError(error, path: path)
        }
        guard let broken else { return }
        let count = broken.count.map { " (\($0) \($0 == 1 ? "row" : "rows"))" } ?? ""
        throw StoreError(
            .migrationViolation(broken.rule), "\(broken.rule.name): \(broken.rule.reason)\(count)", path: path
        )
    }
}
