import CoreDataStore

/// An estimate of how many rows the steps of a plan write, at most.
///
/// It counts the rows of the table that a statement scans, whatever its condition leaves out. A new index has
/// an entry a row; a table that loses a column is written anew.
package struct MigrationEstimate {
    /// The numbers of rows, by the names that the tables have at this point of the plan.
    private var rowCounts: [SQLIdentifier: Int] = [:]
    private let connection: any SQLConnection

    private init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    /// Returns the estimates by step; each table that is written is counted once.
    package static func rows(
        of plan: MigrationPlan, on connection: any SQLConnection
    ) throws(SQLError) -> [Int] {
        var estimate = MigrationEstimate(connection)
        var result: [Int] = []
        for step in plan.steps { result.append(try estimate.rows(of: step)) }
        return result
    }

    private mutating func rows(of step: MigrationPlan.Step) throws(SQLError) -> Int {
        switch step.action {
        case .require, .releaseExternals: return 0
        case .run(let fragment), .constrain(let fragment, _):
            return try rows(of: SQLWords(fragment.sql))
        }
    }

    private mutating func rows(of statement: SQLWords) throws(SQLError) -> Int {
        if let table = statement.name(after: "UPDATE") ?? statement.name(after: "DELETE", "FROM") {
            return try count(table)
        }
        if let table = statement.name(after: "INSERT", "INTO") {
            guard let source = statement.selectedTable else { return 1 }
            let rows = try count(source)
            rowCounts[table, default: 0] += rows
            return rows
        }
        if let table = statement.name(after: "CREATE", "INDEX", "ON") { return try count(table) }
        if let table = statement.name(after: "CREATE", "TABLE") { rowCounts[table] = 0 }
        guard let table = statement.name(after: "ALTER", "TABLE") else { return 0 }
        if statement.contains(SQLIdentifier("DROP")) { return try count(table) }
        if let name = statement.name(after: "ALTER", "RENAME", "TO"),
            !statement.contains(SQLIdentifier("COLUMN"))
        {
            rowCounts[name] = try count(table)
            rowCounts[table] = nil
        }
        return 0
    }

    private mutating func count(_ table: SQLIdentifier) throws(SQLError) -> Int {
        if let known = rowCounts[table] { return known }
        let rows = try connection.count("SELECT COUNT(*) FROM \(table)")
        rowCounts[table] = rows
        return rows
    }
}

// The table that a statement of a plan is about.
extension SQLWords {
    /// Returns the word after the last of some keywords, if the statement begins with the first and has the
    /// others in turn.
    fileprivate func name(after keywords: String...) -> SQLIdentifier? {
        let keywords = keywords.map { Word.name(SQLIdentifier($0)) }
        guard all.first == keywords[0] else { return nil }
        var rest = all[...]
        for keyword in keywords {
            guard let index = rest.firstIndex(of: keyword) else { return nil }
            rest = rest[(index + 1)...]
        }
        let condition = ["IF", "NOT", "EXISTS"].map { Word.name(SQLIdentifier($0)) }
        if rest.starts(with: condition) { rest = rest.dropFirst(condition.count) }
        guard case .name(let name) = rest.first else { return nil }
        return name
    }

    /// The table that an insertion reads.
    fileprivate var selectedTable: SQLIdentifier? {
        for case (.name(SQLIdentifier("FROM")), .name(let table)) in zip(all, all.dropFirst()) {
            return table
        }
        return nil
    }
}
