import CoreDataModelFormat
import CoreDataSQL
package import CoreDataStore

extension SQLiteStores {
    /// Plans a migration and counts the objects that it concerns, in one read transaction. The store is not
    /// changed.
    package static func survey(
        _ migration: StoreMigration, at path: String
    ) throws(StoreError) -> MigrationSurvey {
        let connection = try inspect(path)
        defer { connection.close() }
        try translated(path) { () throws(SQLError) in try connection.begin(.deferred) }
        defer { connection.rollback() }
        let source = try migration.source(connection, path)
        let counts = try translated(path) { () throws(SQLError) in
            try source.schema.objectCounts(on: connection)
        }
        guard migration.evolution.obstacles.isEmpty else {
            return MigrationSurvey(objectCounts: counts)
        }
        let plan: MigrationPlan
        do throws(StoreError) {
            plan = try migration.plan(source, connection, path)
        } catch {
            guard case .inexpressible = error.kind else { throw error }
            return MigrationSurvey(objectCounts: counts, inexpressible: error.message)
        }
        return try translated(path) { () throws(SQLError) in
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
}
