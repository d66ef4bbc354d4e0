package import CoreDataValues

/// The expected work of a migration, planned and counted, but not done.
package struct MigrationSurvey: Sendable {
    /// A step of the plan.
    package struct Step: Sendable {
        /// The purpose of the step, as text for the user.
        package let title: String
        package let sql: String
        /// The values of the statement's placeholders, as text.
        package let values: [String]
        /// The greatest number of rows that the step writes.
        package let rowEstimate: Int

        package init(title: String, sql: String, values: [String], rowEstimate: Int) {
            self.title = title
            self.sql = sql
            self.values = values
            self.rowEstimate = rowEstimate
        }
    }

    /// The numbers of objects by entity of the source, without subentities.
    package let objectCounts: [EntityIndex: Int]
    /// The steps of the plan; nil if the store cannot be migrated in place.
    package let steps: [Step]?
    /// The rules that objects break, with the numbers of these objects.
    package let violations: [(rule: MigrationViolation, count: Int)]
    /// The part of the migration that SQL cannot express, if there is no plan for that reason.
    package let inexpressible: String?

    package init(
        objectCounts: [EntityIndex: Int], steps: [Step]? = nil,
        violations: [(rule: MigrationViolation, count: Int)] = [], inexpressible: String? = nil
    ) {
        self.objectCounts = objectCounts
        self.steps = steps
        self.violations = violations
        self.inexpressible = inexpressible
    }
}
