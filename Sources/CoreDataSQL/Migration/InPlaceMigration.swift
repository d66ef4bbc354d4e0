import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues
package import Foundation

/// A migration in place on a connection, which has begun the transaction.
package struct InPlaceMigration {
    private let migration: StoreMigration
    private let dialect: any SQLDialect
    private let connection: any SQLConnection
    /// The place of the store, for errors.
    private let path: String

    package init(
        _ migration: StoreMigration, _ dialect: any SQLDialect, on connection: any SQLConnection,
        path: String
    ) {
        self.migration = migration
        self.dialect = dialect
        self.connection = connection
        self.path = path
    }

    private var evolution: ModelEvolution { migration.evolution }

    /// The store as it is found.
    package struct Source {
        let catalog: StoreCatalog
        package let schema: StoreSchema
    }

    /// Reads the store's schema, by its model.
    package func source() throws(StoreError) -> Source {
        let (catalog, schema) = try probe(evolution.source, migration.sourceSubset)
        return Source(catalog: catalog, schema: schema)
    }

    /// Reads the store's schema after the migration, by its new model.
    package func migrated() throws(StoreError) -> StoreSchema {
        try probe(evolution.destination, migration.subset).1
    }

    private func probe(
        _ model: CompiledModel, _ subset: Set<EntityIndex>?
    ) throws(StoreError) -> (StoreCatalog, StoreSchema) {
        let catalog = try translated { () throws(SQLError) in try dialect.catalog(on: connection) }
        return try located { () throws(StoreError) in
            (catalog, try SchemaProbe(model, catalog: catalog, subset: subset, dialect: dialect).schema())
        }
    }

    private func target(_ source: Source) throws(StoreError) -> NewStoreSchema {
        let numbers =
            dialect.renumbersEntities
            ? nil : EntityNumbers(continuing: source.schema, evolution, subset: migration.subset)
        return try SchemaCompiler(
            evolution.destination, subset: migration.subset, numbers: numbers, dialect: dialect
        ).compile()
    }

    private func plan(_ source: Source) throws(StoreError) -> MigrationPlan {
        try located { () throws(StoreError) in
            let target = try target(source)
            let details = try translated { () throws(SQLError) in
                try MigrationCatalog(reading: connection, source.schema, source.catalog, dialect)
            }
            return try MigrationPlanner(
                evolution, from: source.schema, to: target, catalog: source.catalog, details: details,
                transformedDefaults: migration.transformedDefaults, isDeferred: migration.isDeferred
            ).planned()
        }
    }

    // MARK: Running

    /// Plans the migration and runs its steps. Returns the plan.
    ///
    /// - Parameters:
    ///   - announce: Called with each step before the step is run.
    ///   - finish: Called after each step.
    package func run(
        _ source: Source, announce: (String) -> Void,
        finish: () throws(SQLError) -> Void = { () throws(SQLError) in }
    ) throws(StoreError) -> MigrationPlan {
        let plan = try plan(source)
        try verifying(source) { () throws(StoreError) in
            for step in plan.steps {
                announce(step.description)
                try run(step)
                try translated(finish)
            }
        }
        return plan
    }

    /// Writes the metadata of the new model into the store.
    ///
    /// - Parameters:
    ///   - plan: What was done.
    ///   - modelCache: The new model as the store keeps it; nil keeps the old one.
    package func stamp(_ plan: MigrationPlan, modelCache: Data?) throws(StoreError) {
        var statements = [Bookkeeping.updateMetadata(plist: try metadata(after: plan))]
        if let modelCache {
            let bytes = dialect.type(of: .attribute(.binary))
            statements += [
                "CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT \(bytes))", "DELETE FROM Z_MODELCACHE",
                Bookkeeping.insertModelCache(modelCache),
            ]
        }
        try translated { () throws(SQLError) in
            for statement in statements { try connection.run(statement) }
        }
    }

    private func metadata(after plan: MigrationPlan) throws(StoreError) -> Data {
        do {
            return try plan.keyMoves?.added(to: migration.metadata) ?? migration.metadata
        } catch {
            throw StoreError(.corrupt, "the metadata of the store cannot be read", path: path)
        }
    }

    private func run(_ step: MigrationPlan.Step) throws(StoreError) {
        let broken = try translated { () throws(SQLError) -> (rule: MigrationViolation, count: Int?)? in
            switch step.action {
            case .run(let fragment): try connection.run(fragment)
            case .releaseExternals(let query): try connection.releaseExternals([query])
            case .derive(let derivation): try derivation.run(on: connection)
            case .require(let query, let rule):
                let rows = try connection.count(query)
                if rows > 0 { return (rule, rows) }
            case .constrain(let fragment, let rule):
                do throws(SQLError) {
                    try connection.run(fragment)
                } catch {
                    guard error.kind == .constraint else { throw error }
                    return (rule, nil)
                }
            }
            return nil
        }
        guard let broken else { return }
        let count = broken.count.map { " (\($0) \($0 == 1 ? "row" : "rows"))" } ?? ""
        throw StoreError(
            .migrationViolation(broken.rule), "\(broken.rule.name): \(broken.rule.reason)\(count)", path: path
        )
    }

    /// Runs the migration, and throws if the numbers of objects or related pairs differ afterwards. Their
    /// tables are looked up again afterwards, so that the check does not depend on the plan.
    private func verifying(
        _ source: Source, _ work: () throws(StoreError) -> Void
    ) throws(StoreError) {
        guard migration.isVerified else { return try work() }
        let target = try located { () throws(StoreError) -> StoreSchema in try self.target(source).schema }
        let holds: MigrationCensus.Holdings = ({ source.schema[$0] != nil }, { target[$0] != nil })
        let before = try MigrationCensus(before: evolution, count(source.schema), holds: holds)
        try work()
        let migrated = try migrated()
        let after = try MigrationCensus(after: evolution, count(migrated), holds: holds)
        if let loss = before.difference(to: after, in: evolution.destination) {
            throw StoreError(loss, path: path)
        }
    }

    private func count(_ schema: StoreSchema) -> SchemaCount {
        SchemaCount(schema, dialect, on: connection, path: path)
    }

    // MARK: Surveying

    /// Plans the migration and counts the objects that it concerns. The store is not changed.
    package func survey() throws(StoreError) -> MigrationSurvey {
        let source = try self.source()
        let counts = try translated { () throws(SQLError) -> [EntityIndex: Int] in
            try source.schema.objectCounts(on: connection)
        }
        guard evolution.obstacles.isEmpty else { return MigrationSurvey(objectCounts: counts) }
        let plan: MigrationPlan
        do throws(StoreError) {
            plan = try self.plan(source)
        } catch {
            guard case .inexpressible = error.kind else { throw error }
            return MigrationSurvey(objectCounts: counts, inexpressible: error.message)
        }
        return try translated { () throws(SQLError) -> MigrationSurvey in
            var violations: [(rule: MigrationViolation, count: Int)] = []
            for precheck in plan.prechecks {
                let count = try connection.count(precheck.count)
                if count > 0 { violations.append((precheck.violation, count)) }
            }
            let steps = zip(plan.steps, try plan.rowEstimates(on: connection)).map { step, rows in
                MigrationSurvey.Step(
                    title: step.title, sql: step.statement.sql.string,
                    values: step.statement.bindings.map(\.description), rowEstimate: rows)
            }
            return MigrationSurvey(objectCounts: counts, steps: steps, violations: violations)
        }
    }

    // MARK: Errors

    private func located<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            throw StoreError(error.kind, error.message, path: path, code: error.code, sql: error.sql)
        }
    }

    private func translated<Result>(_ body: () throws(SQLError) -> Result) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try body()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
