package import CoreDataModelFormat
package import CoreDataSQL
package import CoreDataStore
package import CoreDataValues
package import Foundation

/// What a store is to become by a migration in place.
package struct StoreMigration: Sendable {
    package let evolution: ModelEvolution
    /// The entities of the store, in both models; nil for all.
    package let sourceSubset: Set<EntityIndex>?
    package let subset: Set<EntityIndex>?
    /// Of the new model, with what the app has in it: a binary property list.
    package let metadata: Data
    package let modelCache: Data?
    /// Whether columns and tables that are gone stay until somebody has the time to drop them.
    package let isDeferred: Bool

    package init(
        _ evolution: ModelEvolution, sourceSubset: Set<EntityIndex>?, subset: Set<EntityIndex>?,
        metadata: Data,
        modelCache: Data?, isDeferred: Bool = false
    ) {
        self.evolution = evolution
        self.sourceSubset = sourceSubset
        self.subset = subset
        self.metadata = metadata
        self.modelCache = modelCache
        self.isDeferred = isDeferred
    }
}

extension SQLiteStores {
    /// What a migration would do. The store stays as it is.
    package static func plan(_ migration: StoreMigration, at path: String) throws(StoreError) -> MigrationPlan
    {
        let connection = try inspect(path)
        defer { connection.close() }
        return try migration.plan(connection, path)
    }

    /// Makes a store of one model one of another, in one transaction: a failure, or the end of the process, leaves it
    /// as it was.
    package static func migrate(
        _ migration: StoreMigration, at path: String, options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws(StoreError) {
        guard !options.isReadOnly else {
            throw StoreError(.readOnly, "a store that is opened read-only cannot be migrated", path: path)
        }
        try StoreFile.requireWritable(path)
        let connection = try translated(path) { () throws(SQLError) in
            let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: options.timeout)
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            try connection.begin(.immediate)
            return connection
        }
        defer { connection.close() }
        do throws(StoreError) {
            let plan = try migration.plan(connection, path)
            for step in plan.steps { try connection.run(step, path) }
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
    fileprivate func plan(_ connection: SQLiteConnection, _ path: String) throws(StoreError) -> MigrationPlan
    {
        let (catalog, target) = (
            try SQLiteStores.translated(path) { () throws(SQLError) in try StoreCatalog(reading: connection)
            },
            try SchemaCompiler(evolution.destination, subset: subset).compile()
        )
        do throws(StoreError) {
            let source = try SchemaProbe(evolution.source, catalog: catalog, subset: sourceSubset).schema()
            let details = try SQLiteStores.translated(path) { () throws(SQLError) in
                try MigrationCatalog(reading: connection, source, catalog)
            }
            return try MigrationPlanner(
                evolution, from: source, to: target, catalog: catalog, details: details,
                isDeferred: isDeferred
            ).planned()
        } catch {
            throw StoreError(error.kind, error.message, path: path, code: error.code, sql: error.sql)
        }
    }

    /// Notes that the store is one of the new model.
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
        let count = broken.count.map { " (\($0) rows)" } ?? ""
        throw StoreError(
            .migrationViolation(broken.rule), "\(broken.rule.name): \(broken.rule.reason)\(count)", path: path
        )
    }
}
