import CoreDataModelFormat
package import CoreDataSQL
package import CoreDataStore
package import CoreDataValues

/// The expected work of a migration, planned and counted, but not done.
package struct MigrationSurvey: Sendable {
    /// The numbers of objects by entity of the source, without subentities.
    package let objectCounts: [EntityIndex: Int]
    /// The plan; nil if the store cannot be migrated in place.
    package let plan: MigrationPlan?
    /// The greatest number of rows that each step of the plan writes.
    package let rowEstimates: [Int]
    /// The rules that objects break, with the numbers of these objects.
    package let violations: [(rule: MigrationViolation, count: Int)]
    /// The part of the migration that SQL cannot express, if there is no plan for that reason.
    package let inexpressible: String?

    package init(
        objectCounts: [EntityIndex: Int], plan: MigrationPlan? = nil, rowEstimates: [Int] = [],
        violations: [(rule: MigrationViolation, count: Int)] = [], inexpressible: String? = nil
    ) {
        self.objectCounts = objectCounts
        self.plan = plan
        self.rowEstimates = rowEstimates
        self.violations = violations
        self.inexpressible = inexpressible
    }
}

extension SQLiteStores {
    /// Plans a migration and counts, in one read transaction. The store is not changed.
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
            return MigrationSurvey(
                objectCounts: counts, plan: plan,
                rowEstimates: try plan.rowEstimates(on: connection), violations: violations)
        }
    }
}
