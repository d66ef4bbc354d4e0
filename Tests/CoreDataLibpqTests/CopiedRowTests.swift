import CoreDataLibpq
import CoreDataSQL
import Foundation
import Testing

@Suite("Rows that a server copies", .needsServer)
struct CopiedRowTests {
    private static let values: SQLText = """
        SELECT CAST(n AS bigint), CASE WHEN n % 3 = 0 THEN NULL ELSE 'text ' || n END, \
        CASE n WHEN 2 THEN '' ELSE 'é' END, CAST(n AS double precision) / 4 \
        FROM generate_series(1, 1000) AS n ORDER BY n
        """

    /// Rows that the server makes one after the other.
    private static let endless: SQLText = """
        SELECT repeat('a', 1000) FROM (SELECT generate_series(1, 1000000000)) AS n
        """

    private func read(_ cells: RowCells) -> String {
        let text: String? = cells.value(1)
        let other: String? = cells.value(2)
        let number: Double? = cells.value(3)
        return "\(cells.integer(0)) \(text ?? "null") \(other ?? "null") \(number ?? .nan)"
    }

    @Test("Copied rows have the values of a result")
    func values() throws {
        let connection = try Database.connect()
        var (expected, copied): ([String], [String]) = ([], [])
        try connection.forEachRow(of: Self.values) { cells throws(PostgreSQLError) in
            expected.append(read(cells))
        }
        let count = try connection.forEachCopiedRow(of: Self.values, columnCount: 4) {
            copied.append(read($0))
        }
        #expect(copied == expected)
        #expect(count == 1000)
        #expect(try connection.forEachCopiedRow(of: "SELECT 1 WHERE false", columnCount: 1) { _ in } == 0)
    }

    @Test("An error before or between the rows is thrown, and the connection can be used again")
    func errors() throws {
        let connection = try Database.connect()
        #expect(
            kind { _ = try connection.forEachCopiedRow(of: "SELECT no", columnCount: 1) { _ in } }
                == .undefined)
        #expect(
            kind {
                _ = try connection.forEachCopiedRow(
                    of: "SELECT 1 / (900 - n) FROM generate_series(1, 1000) AS n", columnCount: 1
                ) { _ in }
            } == .divisionByZero)
        #expect(try connection.value("SELECT 7", as: Int64.self) == 7)
    }

    @Test("Copying can be cancelled between two rows")
    func cancelling() throws {
        let connection = try Database.connect()
        let error = kind {
            var isFirst = true
            _ = try connection.forEachCopiedRow(
                of: Self.endless, columnCount: 1
            ) { _ in
                if isFirst { connection.cancel() }
                isFirst = false
            }
        }
        #expect(error == .interrupted)
        #expect(try connection.value("SELECT 7", as: Int64.self) == 7)
    }

    @Test("Rows of another number of columns end the connection with an error")
    func otherForm() throws {
        let connection = try Database.connect()
        let error = kind { _ = try connection.forEachCopiedRow(of: "SELECT 1, 2", columnCount: 1) { _ in } }
        #expect(error == .connectionLost(outcome: .known))
        #expect(!connection.isUsable)
    }

    @Test("A connection that is lost between two rows is an error, not an end")
    func lostConnection() throws {
        let connection = try Database.connect()
        let process = try #require(try connection.value("SELECT pg_backend_pid()", as: Int32.self))
        let other = try Database.connect()
        let error = kind {
            var isFirst = true
            _ = try connection.forEachCopiedRow(
                of: Self.endless, columnCount: 1
            ) { _ in
                if isFirst { _ = try? other.value("SELECT pg_terminate_backend(?)", process, as: Bool.self) }
                isFirst = false
            }
        }
        #expect(error == .connectionLost(outcome: .known))
    }

    @Test("A statement whose result had many rows copies them, until there are few")
    func choice() throws {
        let connection = try Database.connect()
        try connection.execute("CREATE TEMP TABLE t AS SELECT n FROM generate_series(1, 3000) AS n")
        let statement = connection.statement("SELECT n FROM t")
        #expect(statement.copiedTypes == nil)
        while try statement.step() {}
        let types = try #require(statement.copiedTypes)
        #expect(types == [.int4])
        var sum: Int64 = 0
        try statement.copyRows(types) { sum += $0.integer(0) }
        #expect(sum == 3000 * 3001 / 2)
        #expect(statement.changedRowCount == 3000)
        try connection.execute("DELETE FROM t WHERE n > 5")
        try statement.copyRows(types) { _ in }
        #expect(statement.copiedTypes == nil)
    }

    // MARK: Into a table

    private static let columns: [PostgreSQLType] = [.int8, .int2, .text, .float8, .bytea]

    /// Connects, with a table and a transaction.
    private func connectToTable() throws -> PostgreSQLConnection {
        let connection = try Database.connect()
        try connection.execute(
            "CREATE TEMP TABLE t (k bigint PRIMARY KEY, b smallint, s text, d double precision, x bytea)")
        try connection.begin()
        return connection
    }

    /// Copies rows with these numbers, each in a fill of its own.
    private func copy(
        _ numbers: [Int64], on connection: PostgreSQLConnection, flag: Int64 = 1,
        last: CopiedRows.Progress = .complete
    ) throws -> Bool {
        var rest = numbers[...]
        return try connection.copyRows(by: "COPY t FROM STDIN (FORMAT binary)", Self.columns) { rows in
            guard let number = rest.popFirst() else { return last }
            rows.beginRow()
            rows.set(number, at: 0)
            if number % 2 == 0 { rows.set(flag, at: 1) }
            if number % 3 == 0 { rows.set(value: "é \(number)", at: 2) }
            if number % 5 == 0 { rows.set(Double(number) / 4, at: 3) }
            if number % 7 == 0 { rows.set(value: Data([UInt8(truncatingIfNeeded: number)]), at: 4) }
            return .more
        }
    }

    @Test("Cells that are copied into a table are there, and null where none was set")
    func writing() throws {
        let connection = try connectToTable()
        let trips = connection.trips
        #expect(try copy(Array(0..<3000), on: connection))
        #expect(connection.trips == trips + 2)
        try connection.commit()
        let differing: SQLText = """
            SELECT count(*) FROM t \
            FULL JOIN (SELECT CAST(n AS bigint) AS n FROM generate_series(0, 2999) AS n) AS v ON k = n \
            WHERE k IS NULL OR n IS NULL \
            OR b IS DISTINCT FROM CASE WHEN n % 2 = 0 THEN 1 END \
            OR s IS DISTINCT FROM CASE WHEN n % 3 = 0 THEN 'é ' || n END \
            OR d IS DISTINCT FROM CASE WHEN n % 5 = 0 THEN CAST(n AS double precision) / 4 END \
            OR x IS DISTINCT FROM CASE WHEN n % 7 = 0 THEN set_byte('\\x00', 0, CAST(n % 256 AS integer)) END
            """
        #expect(try connection.value(differing, as: Int64.self) == 0)
        try connection.begin()
        #expect(try copy([], on: connection))
    }

    @Test(
        "After a taken key, a number out of range and abandoned rows none is there, and the connection stays")
    func refusedRows() throws {
        let connection = try connectToTable()
        func leavesNone(_ body: () throws -> Void) throws {
            try body()
            connection.rollback()
            #expect(try connection.value("SELECT count(*) FROM t", as: Int64.self) == 0)
            try connection.begin()
        }
        try leavesNone {
            let taken = kind { _ = try copy(Array(0..<3000) + [7], on: connection) }
            guard case .unique = taken else {
                Issue.record("\(String(describing: taken))")
                return
            }
        }
        try leavesNone {
            #expect(kind { _ = try copy([1, 2], on: connection, flag: 1 << 20) } == .outOfRange)
        }
        try leavesNone {
            let isComplete = try copy([1, 2], on: connection, last: .abandoned)
            #expect(!isComplete)
        }
        try leavesNone {
            #expect(
                kind {
                    _ = try connection.copyRows(by: "COPY no FROM STDIN", Self.columns) { _ in .complete }
                } == .undefined)
        }
    }

    @Test("A connection that is lost while rows are copied into a table is an error that says so")
    func lostWhileWriting() throws {
        let connection = try connectToTable()
        let process = Int32(connection.processID)
        let other = try Database.connect()
        let error = kind {
            _ = try connection.copyRows(by: "COPY t FROM STDIN (FORMAT binary)", Self.columns) { rows in
                _ = try? other.value("SELECT pg_terminate_backend(?)", process, as: Bool.self)
                rows.beginRow()
                rows.set(Int64(1), at: 0)
                return .complete
            }
        }
        #expect(error == .connectionLost(outcome: .known))
    }
}
