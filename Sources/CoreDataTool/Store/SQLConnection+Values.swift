package import CoreDataSQL

extension SQLConnection {
    /// Returns the rows of a query. All rows are kept in memory, so it is for queries with few rows.
    package func rows(_ query: SQLFragment) throws(SQLError) -> [[SQLValue]] {
        let statement = try prepare(query.sql)
        try statement.bind(query.bindings)
        defer { statement.reset() }
        var rows: [[SQLValue]] = []
        while try statement.step() {
            rows.append((0..<Int32(statement.columnCount)).map { statement.value(at: $0) })
        }
        return rows
    }

    /// Returns the only cell of a query as a number; 0 if there is none.
    package func number(_ query: SQLFragment) throws(SQLError) -> Int64 {
        try rows(query).first?.first?.integer ?? 0
    }
}

extension SQLValue {
    package var integer: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The seconds since 2001, stored as a whole number or a double.
    package var seconds: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
