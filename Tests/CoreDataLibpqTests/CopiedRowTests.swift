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
}
