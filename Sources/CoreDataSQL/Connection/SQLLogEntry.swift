import CoreDataStore

/// One statement that ended, with as much detail as a listener of `SQLLog` asked for.
package struct SQLLogEntry: Sendable {
    /// The outcome of the statement.
    package enum Outcome: Sendable, Equatable {
        /// The statement returned this number of rows.
        case returned(Int)
        /// The statement wrote this number of rows, without those of triggers.
        case wrote(Int)
        /// The statement had no rows.
        case ran
        case failed(String)
    }

    /// The path of the database file.
    package let path: String
    /// The text, with placeholders.
    package let sql: String
    /// The values of the placeholders; empty below the level of bindings.
    package private(set) var bindings: [SQLValue]
    /// The rows returned; empty below the level of rows.
    package private(set) var rows: [[SQLValue]]
    /// The database's plan, a line per step, indented by depth; empty below the level of plans.
    package private(set) var plan: [String]
    package let outcome: Outcome
    /// The time from the first step to the reset.
    package let duration: Duration

    package init(
        path: String, sql: String, bindings: [SQLValue] = [], rows: [[SQLValue]] = [], plan: [String] = [],
        outcome: Outcome, duration: Duration
    ) {
        self.path = path
        self.sql = sql
        self.bindings = bindings
        self.rows = rows
        self.plan = plan
        self.outcome = outcome
        self.duration = duration
    }

    func reduced(to detail: SQLLog.Detail) -> SQLLogEntry {
        var entry = self
        if detail < .bindings { entry.bindings = [] }
        if detail < .rows { entry.rows = [] }
        if detail < .plan { entry.plan = [] }
        return entry
    }
}
