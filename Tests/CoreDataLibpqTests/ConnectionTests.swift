import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataLibpq

@Suite("Connections to PostgreSQL", .needsServer)
struct ConnectionTests {
    @Test("A statement takes parameters and returns rows in binary form")
    func values() throws {
        let connection = try Database.connect()
        #expect(try connection.value("SELECT ? + ?", Int64(2), Int64(3), as: Int64.self) == 5)
        #expect(try connection.value("SELECT ? || '?'", "ä", as: String.self) == "ä?")
        #expect(connection.serverVersion >= 130_000)
    }

    @Test("The first run of a statement is one round trip, preparing included, and so is each later one")
    func trips() throws {
        let connection = try Database.connect()
        let before = connection.trips
        for run in 1...3 {
            _ = try connection.value("SELECT ?", Int64(run), as: Int64.self)
            #expect(connection.trips == before + run)
        }
        #expect(connection.cache.count == 1)
    }

    @Test("The host may be the folder of a Unix socket")
    func socket() throws {
        let server = try TestServer.shared()
        guard let folder = server.socketFolder else { return }
        let url = "postgresql://postgres@/postgres?host=\(folder)&port=\(server.port)"
        let connection = try PostgreSQLConnection(try ConnectionOptions(url))
        #expect(try connection.value("SELECT inet_client_addr() IS NULL", as: Bool.self) == true)
    }

    @Test("A connection can be encrypted")
    func encryption() throws {
        guard try TestServer.shared().isEncrypting else { return }
        let isEncrypted: SQLText = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        #expect(try Database.connect("sslmode=require").value(isEncrypted, as: Bool.self) == true)
        #expect(try Database.connect().value(isEncrypted, as: Bool.self) == false)
    }

    @Test("Of several hosts the first that answers is taken")
    func severalHosts() throws {
        let port = try TestServer.shared().port
        let connection = try PostgreSQLConnection(
            try Database.options("host=127.0.0.1,127.0.0.1&port=1,\(port)"))
        #expect(try connection.value("SELECT 1", as: Int64.self) == 1)
    }

    @Test("Unqualified names are looked up in the option's schema, whose name may need quotes")
    func schema() throws {
        let connection = try Database.connect("schema=No%20%22such")
        #expect(try connection.value("SHOW search_path", as: String.self) == #""No ""such""#)
    }

    @Test("Rows arrive one after the other, while other statements run on the connection")
    func interleaving() throws {
        let connection = try Database.connect()
        var numbers: [Int64] = []
        try connection.forEachRow(of: "SELECT generate_series(1, ?)", ParameterList(Int64(1000))) {
            cells throws(PostgreSQLError) in
            let number = cells.integer(0)
            if number == 3 {
                numbers.append(0)
                try connection.forEachRow(of: "SELECT -1 UNION ALL SELECT -2") {
                    inner throws(PostgreSQLError) in numbers.append(inner.integer(0))
                }
            }
            numbers.append(number)
        }
        #expect(numbers == [1, 2, 0, -1, -2] + Array(3...1000))
    }

    @Test("A run that ends early leaves the connection ready for the next")
    func earlyEnd() throws {
        let connection = try Database.connect()
        let statement = connection.statement("SELECT generate_series(1, 1000)")
        #expect(try statement.step())
        #expect(statement.columnTypes == [.int4])
        #expect(try connection.value("SELECT 7", as: Int64.self) == 7)
        statement.reset()
        #expect(try statement.step())
        #expect(statement.cells.integer(0) == 1)
        do {
            let abandoned = connection.statement("SELECT generate_series(1, 1000)")
            #expect(try abandoned.step())
        }
        #expect(try connection.value("SELECT 8", as: Int64.self) == 8)
    }

    @Test("A statement says how many rows it wrote")
    func changedRows() throws {
        let connection = try Database.connect()
        try connection.execute("CREATE TEMP TABLE t (n int8)")
        #expect(try connection.run("INSERT INTO t SELECT generate_series(1, 5)") == 5)
        #expect(
            try connection.run("UPDATE t SET n = n + ? WHERE n > ?", ParameterList(Int64(1), Int64(3))) == 2)
        #expect(try connection.run("DELETE FROM t") == 5)
    }

    @Test("A statement whose tables have changed is prepared again and run")
    func staleStatement() throws {
        let connection = try Database.connect()
        try connection.execute("CREATE TEMP TABLE t (a int8); INSERT INTO t VALUES (1)")
        let sql: SQLText = "SELECT * FROM t"
        #expect(try connection.value(sql, as: Int64.self) == 1)
        try connection.execute("ALTER TABLE t ALTER a TYPE text USING 'x' || a")
        #expect(try connection.value(sql, as: String.self) == "x1")
        try connection.execute("DISCARD ALL")
        try connection.execute("CREATE TEMP TABLE t AS SELECT 2::int8 AS a")
        #expect(try connection.value(sql, as: Int64.self) == 2)
    }

    @Test("In a transaction a stale statement is an error, and the next run prepares it again")
    func staleInTransaction() throws {
        let connection = try Database.connect()
        try connection.execute("CREATE TEMP TABLE t (a int8); INSERT INTO t VALUES (1)")
        _ = try connection.run("SELECT * FROM t")
        try connection.execute("ALTER TABLE t ADD b int8")
        try connection.begin()
        #expect(kind { _ = try connection.run("SELECT * FROM t") } == .staleStatement)
        connection.rollback()
        try connection.begin()
        #expect(try connection.run("SELECT * FROM t") == 1)
        try connection.commit()
    }

    @Test("A connection keeps a limited number of prepared statements, and drops the least recently used")
    func leastRecentlyUsed() throws {
        let connection = try Database.connect()
        connection.cache = PreparedStatements(capacity: 3)
        for number in [1, 2, 3, 1, 4] { _ = try connection.run("SELECT \(number)") }
        _ = try connection.run("SELECT 1")
        #expect(connection.cache.count == 3)
        let texts = try Set(
            connection.value(
                "SELECT string_agg(statement, ';') FROM pg_prepared_statements", as: String.self)!
                .split(separator: ";").map(String.init))
        #expect(texts.isSuperset(of: ["SELECT 1", "SELECT 4"]))
        #expect(!texts.contains("SELECT 2"))
    }

    @Test("Notices of the server are not printed, and a closed connection says so")
    func closing() throws {
        let connection = try Database.connect()
        try connection.execute("DROP TABLE IF EXISTS nothing_of_this_name")
        connection.close()
        #expect(!connection.isUsable)
        #expect(kind { _ = try connection.run("SELECT 1") } == .connectionLost(outcome: .known))
    }

    @Test("Another thread cancels a statement, which fails as interrupted, and the connection goes on")
    func cancelling() throws {
        let connection = try Database.connect()
        let observer = try Database.connect()
        Thread.detachNewThread {
            // Until the server says that it sleeps.
            while (try? observer.value(
                "SELECT count(*) FROM pg_stat_activity WHERE pid = ? AND wait_event = 'PgSleep'",
                Int32(connection.processID), as: Int64.self)) == 0
            {}
            connection.cancel()
        }
        #expect(kind { try connection.run("SELECT pg_sleep(60)") } == .interrupted)
        #expect(try connection.value("SELECT 1", as: Int64.self) == 1)
        connection.cancel()
        #expect(try connection.value("SELECT 2", as: Int64.self) == 2)
    }
}
