import CoreDataStore

extension MigrationPlan {
    /// Returns how many rows each step writes at most, as far as the tables on a connection tell.
    ///
    /// A statement counts for all rows of the table that it scans, regardless of its condition. A new index
    /// has an entry per row; a table that loses a column is written anew.
    package func rowEstimates(on connection: any SQLConnection) throws(SQLError) -> [Int] {
        var counts = RowCounts(connection)
        var result: [Int] = []
        for step in steps { result.append(try counts.rows(of: step.touches)) }
        return result
    }
}

/// The numbers of rows, by the names that the tables have at one point of a plan.
private struct RowCounts {
    private var known: [SQLIdentifier: Int] = [:]
    private let connection: any SQLConnection

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    /// Returns the number of rows that a step writes, and applies the step to the names and numbers.
    mutating func rows(of touch: MigrationPlan.Touch) throws(SQLError) -> Int {
        switch touch {
        case .definition: return 0
        case .inserts: return 1
        case .scans(let table): return try count(table)
        case .copies(let source, let table):
            let rows = try count(source)
            known[table, default: 0] += rows
            return rows
        case .creates(let table):
            known[table] = 0
            return 0
        case .renames(let former, let name):
            known[name] = try count(former)
            known[former] = nil
            return 0
        }
    }

    private mutating func count(_ table: SQLIdentifier) throws(SQLError) -> Int {
        if let rows = known[table] { return rows }
        let rows = try connection.count("SELECT COUNT(*) FROM \(table)")
        known[table] = rows
        return rows
    }
}
