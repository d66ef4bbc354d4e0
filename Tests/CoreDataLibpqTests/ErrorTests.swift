import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataLibpq

@Suite("Errors of PostgreSQL", .needsServer)
struct ErrorTests {
    /// Makes a table for one test, which several connections see.
    private func withTable(_ body: (SQLIdentifier, PostgreSQLConnection) throws -> Void) throws {
        let connection = try Database.connect()
        let table = SQLIdentifier("z_\(UUID().uuidString)")
        try connection.execute(
            "CREATE TABLE \(table) (k int8 PRIMARY KEY, v int8 CONSTRAINT positive CHECK (v > 0))")
        defer { try? Database.connect().execute("DROP TABLE \(table)") }
        try connection.execute("INSERT INTO \(table) VALUES (1, 1), (2, 1)")
        try body(table, connection)
    }

    @Test(
        "The server's state tells the kind of an error",
        arguments: [
            ("40001", .serialization), ("40P01", .deadlock), ("23505", .unique(constraint: nil)),
            ("23514", .constraint), ("23503", .constraint), ("25006", .notPrimary),
            ("26000", .staleStatement),
            ("57014", .timeout), ("55P03", .timeout), ("53300", .busy), ("53100", .diskFull),
            ("22003", .outOfRange),
            ("22012", .divisionByZero), ("22021", .invalidText), ("0A000", .other), ("42P01", .undefined),
            ("42703", .undefined),
        ] as [(String, PostgreSQLError.Kind)])
    func states(_ state: String, _ expected: PostgreSQLError.Kind) throws {
        let connection = try Database.connect()
        let raise: SQLText = "DO $$ BEGIN RAISE EXCEPTION 'words' USING ERRCODE = \(quoting: state); END $$"
        let error = #expect(throws: PostgreSQLError.self) { try connection.execute(raise) }
        #expect(error?.kind == expected)
        #expect(error?.state == state)
        #expect(error?.message == "words")
    }

    @Test("An error names the violated constraint, but no values")
    func constraints() throws {
        try withTable { table, connection in
            let error = #expect(throws: PostgreSQLError.self) {
                try connection.run("INSERT INTO \(table) VALUES (?, 1)", ParameterList(Int64(1)))
            }
            #expect(error?.kind == .unique(constraint: "\(table.name)_pkey"))
            #expect(error?.description.contains("(1)") == false)
            #expect(kind { try connection.run("INSERT INTO \(table) VALUES (9, 0)") } == .constraint)
        }
    }

    @Test("A NUL in a text and a number that is too large have their own kinds of error")
    func values() throws {
        let connection = try Database.connect()
        #expect(kind { _ = try connection.value("SELECT ?", "a\0b", as: String.self) } == .invalidText)
        let sum: SQLText = "SELECT ? + ?"
        #expect(kind { _ = try connection.value(sum, Int64.max, Int64(1), as: Int64.self) } == .outOfRange)
        #expect(try connection.value("SELECT ?", "ab", as: String.self) == "ab")
    }

    @Test("A server's refusal to write has its own kind of error, and the connection remembers it")
    func readOnly() throws {
        let connection = try Database.connect()
        try connection.execute("SET default_transaction_read_only = on")
        #expect(!connection.hasRefusedToWrite)
        #expect(kind { try connection.run("CREATE TABLE z_never (k int8)") } == .notPrimary)
        #expect(connection.hasRefusedToWrite)
    }

    @Test("A writer does not connect to a server that only reads; a reader does")
    func roles() throws {
        let admin = try Database.connect()
        let role = SQLIdentifier("z_reading_\(UUID().uuidString.lowercased())")
        try admin.execute("CREATE ROLE \(role) LOGIN")
        defer { try? admin.execute("DROP ROLE \(role)") }
        try admin.execute("ALTER ROLE \(role) SET default_transaction_read_only = on")
        let options = try Database.options("user=\(role.name)")
        #expect(kind { _ = try PostgreSQLConnection(options) } == .notPrimary)
        let reader = try PostgreSQLConnection(options, role: .reader)
        #expect(try reader.value("SELECT 1", as: Int64.self) == 1)
    }

    @Test("A repeatable read transaction cannot write a row that another one has changed meanwhile")
    func serialization() throws {
        try withTable { table, first in
            let second = try Database.connect()
            try first.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try first.run("SELECT v FROM \(table)")
            try second.run("UPDATE \(table) SET v = 2 WHERE k = 1")
            #expect(kind { try first.run("UPDATE \(table) SET v = 3 WHERE k = 1") } == .serialization)
            first.rollback()
        }
    }

    @Test("If two transactions wait for each other, one of them fails")
    func deadlock() throws {
        try withTable { table, first in
            let second = try Database.connect()
            for connection in [first, second] {
                try connection.execute("SET deadlock_timeout = '20ms'")
                try connection.begin()
            }
            try first.run("UPDATE \(table) SET v = 2 WHERE k = 1")
            try second.run("UPDATE \(table) SET v = 2 WHERE k = 2")
            let group = DispatchGroup()
            nonisolated(unsafe) var other: PostgreSQLError.Kind?
            DispatchQueue.global().async(group: group) {
                other = kind { try second.run("UPDATE \(table) SET v = 3 WHERE k = 1") }
                second.rollback()
            }
            let own = kind { try first.run("UPDATE \(table) SET v = 3 WHERE k = 2") }
            first.rollback()
            group.wait()
            #expect([own, other].compactMap(\.self) == [.deadlock])
        }
    }

    @Test("A time limit of the server ends a statement, or its wait for a lock")
    func timeouts() throws {
        try withTable { table, connection in
            let other = try Database.connect()
            try other.execute("SET statement_timeout = 20")
            #expect(kind { try other.run("SELECT pg_sleep(60)") } == .timeout)
            try other.execute("SET statement_timeout = 0; SET lock_timeout = 20")
            try connection.begin()
            try connection.execute("LOCK TABLE \(table)")
            #expect(kind { try other.run("SELECT * FROM \(table)") } == .timeout)
            connection.rollback()
        }
    }

    @Test("A server with too many connections is busy")
    func tooManyConnections() throws {
        let admin = try Database.connect()
        let role = SQLIdentifier("z_limited_\(UUID().uuidString.lowercased())")
        try admin.execute("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0")
        defer { try? admin.execute("DROP ROLE \(role)") }
        let options = try Database.options("user=\(role.name)")
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(options) }
        #expect(error?.kind == .busy)
        #expect(error?.description.contains("z_limited") == false)
    }

    // MARK: Lost connections

    private func kill(_ connection: PostgreSQLConnection) throws {
        let admin = try Database.connect()
        let id = Int32(connection.processID)
        _ = try admin.value("SELECT pg_terminate_backend(?)", id, as: Bool.self)
        while try admin.value("SELECT count(*) FROM pg_stat_activity WHERE pid = ?", id, as: Int64.self) != 0
        {}
    }

    @Test("After the server has ended an idle session, the next statement is known not to be done")
    func killedIdle() throws {
        try withTable { table, _ in
            for isAsked in [false, true] {
                let connection = try Database.connect()
                try connection.run("SELECT 1")
                try kill(connection)
                if isAsked { #expect(connection.hasEnded()) }
                #expect(
                    kind { try connection.run("UPDATE \(table) SET v = 7") }
                        == .connectionLost(outcome: .known))
                #expect(!connection.isUsable)
            }
        }
    }

    @Test("If the server ends a session during a pipeline, nothing of the pipeline is done")
    func killedInUse() throws {
        try withTable { table, observer in
            let connection = try Database.connect()
            let id = Int32(connection.processID)
            Thread.detachNewThread {
                let isAsleep: SQLText =
                    "SELECT count(*) FROM pg_stat_activity WHERE pid = ? AND wait_event = 'PgSleep'"
                while (try? observer.value(isAsleep, id, as: Int64.self)) == 0 {}
                _ = try? observer.value("SELECT pg_terminate_backend(?)", id, as: Bool.self)
            }
            let steps = [PipelineStep("UPDATE \(table) SET v = 7"), PipelineStep("SELECT pg_sleep(60)")]
            #expect(kind { _ = try connection.run(steps) } == .connectionLost(outcome: .known))
            let other = try Database.connect()
            #expect(try other.value("SELECT max(v) FROM \(table)", as: Int64.self) == 1)
        }
    }

    @Test(
        "If a connection is cut around a commit, the outcome is unknown",
        arguments: [TestProxy.Cut.beforeServer, .afterServer], [true, false])
    func cut(_ place: TestProxy.Cut, isPipeline: Bool) throws {
        try withTable { table, observer in
            let proxy = try Database.proxy()
            defer { proxy.close() }
            let connection = try PostgreSQLConnection(try Database.options(through: proxy))
            let update = PipelineStep("UPDATE \(table) SET v = 7")
            if isPipeline {
                proxy.cutNext(place)
                #expect(kind { _ = try connection.run([update]) } == .connectionLost(outcome: .unknown))
            } else {
                try connection.begin()
                _ = try connection.run([update])
                proxy.cutNext(place)
                #expect(kind { try connection.commit() } == .connectionLost(outcome: .unknown))
            }
            // The update waits for the end of the lost session, or comes after it.
            let found = try observer.value("SELECT max(v) FROM \(table)", as: Int64.self)
            #expect(found == (place == .beforeServer ? 1 : 7))
        }
    }

    @Test("If a connection is cut inside of a transaction, the transaction is known to be lost")
    func cutInTransaction() throws {
        try withTable { table, observer in
            let proxy = try Database.proxy()
            defer { proxy.close() }
            let connection = try PostgreSQLConnection(try Database.options(through: proxy))
            try connection.begin()
            proxy.cutNext(.afterServer)
            #expect(
                kind { try connection.run("UPDATE \(table) SET v = 7") } == .connectionLost(outcome: .known))
            #expect(try observer.value("SELECT max(v) FROM \(table)", as: Int64.self) == 1)
        }
    }

    @Test("On a slow network a pipeline of a hundred new statements is one round trip")
    func slowNetwork() throws {
        let proxy = try Database.proxy(delay: 0.05)
        defer { proxy.close() }
        let connection = try PostgreSQLConnection(try Database.options(through: proxy))
        let (trips, seen) = (connection.trips, proxy.trips)
        _ = try connection.run((0..<100).map { PipelineStep("SELECT \($0), ?", ParameterList(Int64($0))) })
        #expect(proxy.trips == seen + 1)
        #expect(connection.trips == trips + 1)
        try connection.forEachRow(of: "SELECT generate_series(1, 10000)") { _ in }
        #expect(proxy.trips == seen + 2)
        #expect(connection.trips == trips + 2)
    }
}
