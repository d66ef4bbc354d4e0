import CoreDataModelFormat
package import CoreDataSQL
package import CoreDataStore
package import CoreDataValues

/// What a migration of a store would go over.
package struct MigrationSurvey: Sendable {
    /// By entity of the source, without subentities.
    package let objectCounts: [EntityIndex: Int]
    /// Nil if the store cannot be migrated in place.
    package let plan: MigrationPlan?
    /// By step of the plan, the rows that it writes at most.
    package let rowEstimates: [Int]
    /// The objects that stand in the way, if there are any, by the rule that they break.
    package let violations: [(rule: MigrationViolation, count: Int)]
    /// What SQL has no words for, if that is why there is no plan.
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
    /// Plans a migration and counts, in one transaction that reads. The store stays as it is.
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
            for forecast in plan.forecasts {
                let count = try connection.count(forecast.count)
                if count > 0 { violations.append((forecast.violation, count)) }
            }
            return MigrationSurvey(
                objectCounts: counts, plan: plan,
                rowEstimates: try MigrationEstimate.rows(of: plan, on: connection), violations: violations)
        }
    }
}
