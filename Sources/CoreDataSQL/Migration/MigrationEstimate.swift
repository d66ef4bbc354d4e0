import CoreDataStore

/// How many rows the steps of a plan write, at most: those of the table that a statement goes over, whatever its
/// condition leaves out. A new index has an entry a row; a table that loses a column is written anew.
package struct MigrationEstimate {
    /// By what the tables are called at this point of the plan.
    private var rowCounts: [String: Int] = [:]
    private let connection: any SQLConnection

    private init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    /// By step. Counts each table that is written once.
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
            return try rows(of: StatementWords(fragment.sql))
        }
    }

    private mutating func rows(of statement: StatementWords) throws(SQLError) -> Int {
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
        if statement.words.contains("DROP") { return try count(table) }
        if let name = statement.name(after: "ALTER", "RENAME", "TO"), !statement.words.contains("COLUMN") {
            rowCounts[name] = try count(table)
            rowCounts[table] = nil
        }
        return 0
    }

    private mutating func count(_ table: String) throws(SQLError) -> Int {
        if let known = rowCounts[table] { return known }
        let rows = try connection.count(SQLFragment("SELECT COUNT(*) FROM \(quoted(table))"))
        rowCounts[table] = rows
        return rows
    }
}

/// The words of a statement of a plan, which is enough to tell which table it is about.
private struct StatementWords {
    let words: [String]

    init(_ sql: String) {
        words = sql.replacing("(", with: " ( ").replacing("\"", with: "")
            .split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    /// The word after the last of some keywords, if the statement begins with the first and has the others in turn.
    func name(after keywords: String...) -> String? {
        guard words.first == keywords[0] else { return nil }
        var rest = words[...]
        for keyword in keywords {
            guard let index = rest.firstIndex(of: keyword) else { return nil }
            rest = rest[(index + 1)...]
        }
        if rest.starts(with: ["IF", "NOT", "EXISTS"]) { rest = rest.dropFirst(3) }
        return rest.first
    }

    /// What an insertion reads.
    var selectedTable: String? {
        zip(words, words.dropFirst()).first { $0 == "FROM" && $1 != "(" }?.1.trimmingPrefix { $0 == "(" }
            .split(separator: ")").first.map(String.init)
    }
}
