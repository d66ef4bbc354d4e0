package import CoreDataStore

/// A plan that migrates a store from one model to another in place: statements for one transaction, in order.
package struct MigrationPlan: Sendable, Equatable {
    package struct Step: Sendable, Equatable, CustomStringConvertible {
        package enum Action: Sendable, Equatable {
            case run(SQLFragment)
            /// A query whose first column names external files that are not needed any more.
            case releaseExternals(SQLFragment)
            /// A query that counts rows which no store of the new model may have.
            case require(none: SQLFragment, MigrationViolation)
            /// A statement that fails if rows break a rule.
            case constrain(SQLFragment, MigrationViolation)
            /// The computation of texts from other texts of the rows.
            case derive(TextDerivation)
        }

        /// The purpose of the step, as text for the user.
        package let title: String
        package let action: Action
        let touches: Touch

        package var statement: SQLFragment {
            switch action {
            case .run(let fragment), .releaseExternals(let fragment), .require(let fragment, _),
                .constrain(let fragment, _):
                fragment
            case .derive(let derivation): derivation.texts(after: 0)
            }
        }

        package var description: String { "\(title): \(statement)" }
    }

    /// The tables that determine how many rows a step writes.
    package enum Touch: Sendable, Equatable {
        /// Only the definition of a table, an index or a trigger changes.
        case definition
        /// The statement goes over all rows of a table: it updates or deletes some, indexes them, or drops a
        /// column.
        case scans(SQLIdentifier)
        /// The statement inserts rows that it reads from another table.
        case copies(from: SQLIdentifier, to: SQLIdentifier)
        /// The statement inserts one row.
        case inserts
        case creates(SQLIdentifier)
        case renames(from: SQLIdentifier, to: SQLIdentifier)
    }

    /// A query on the unmigrated store that counts the rows which will break a rule of the new model.
    ///
    /// There is none if only the migrated store could tell.
    package struct Precheck: Sendable, Equatable {
        package let violation: MigrationViolation
        package let count: SQLFragment
    }

    package internal(set) var steps: [Step] = []
    package internal(set) var prechecks: [Precheck] = []
    var keyMoves: KeyMoves?

    package var statements: [SQLFragment] { steps.map(\.statement) }

    mutating func run(_ title: String, _ touches: Touch, _ fragment: SQLFragment) {
        steps.append(Step(title: title, action: .run(fragment), touches: touches))
    }

    /// Adds a query for the external files of a column's values (sqlite-store §6).
    ///
    /// - Parameters:
    ///   - title: The purpose of the step.
    ///   - column: The column.
    ///   - table: The table of the column.
    ///   - number: The number of the entity whose rows are read; nil for all rows.
    mutating func releaseFiles(
        _ title: String, _ column: SQLIdentifier, in table: SQLIdentifier, number: Int64? = nil
    ) {
        let isOf: SQLText = number.map { "Z_ENT = \($0) AND " } ?? ""
        let query: SQLFragment = "SELECT \(column) FROM \(table) WHERE \(isOf)length(\(column)) = 38"
        steps.append(Step(title: title, action: .releaseExternals(query), touches: .definition))
    }

    /// Adds the computation of a column's texts from another column.
    mutating func derive(
        _ title: String, _ column: SQLIdentifier, of table: SQLIdentifier, _ form: Derivation.TextForm,
        from source: SQLIdentifier, _ rows: SQLText
    ) {
        let derivation = TextDerivation(table: table, column: column, form: form, source: source, rows: rows)
        steps.append(Step(title: title, action: .derive(derivation), touches: .scans(table)))
    }

    /// Adds a query that must count no rows.
    ///
    /// - Parameter precheck: The query that counts these rows in the unmigrated store.
    mutating func require(
        _ rule: MigrationViolation.Rule, _ entity: String, _ property: String?, none query: SQLFragment,
        precheck: SQLFragment? = nil
    ) {
        let violation = MigrationViolation(entity: entity, property: property, rule: rule)
        steps.append(
            Step(
                title: "check \(violation.name)", action: .require(none: query, violation),
                touches: .definition))
        add(violation, precheck)
    }

    mutating func constrain(
        _ title: String, _ touches: Touch, _ fragment: SQLFragment, _ violation: MigrationViolation,
        precheck: SQLFragment?
    ) {
        steps.append(Step(title: title, action: .constrain(fragment, violation), touches: touches))
        add(violation, precheck)
    }

    private mutating func add(_ violation: MigrationViolation, _ count: SQLFragment?) {
        if let count { prechecks.append(Precheck(violation: violation, count: count)) }
    }
}
