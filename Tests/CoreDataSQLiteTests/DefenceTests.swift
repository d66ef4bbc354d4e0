import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import Testing

@Suite("Protection against hostile files")
struct DefenceTests {
    private static let accesses: [SQLiteConnection.Access] = [
        .readOnly, .immutable, .probe, .readWrite, .create,
    ]

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch { return (error as? SQLError)?.message ?? "\(error)" }
    }

    @Test("Every connection has SQLite's settings against hostile files", arguments: accesses)
    func settings(_ access: SQLiteConnection.Access) throws {
        let store = try TestStore()
        store.backend.close()
        let connection = try SQLiteConnection(path: store.path, access: access)
        defer { connection.close() }
        for (name, value) in [("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0)]
            as [(SQLText, Int64)]
        {
            let rows = try connection.rows("PRAGMA \(name)")
            #expect(rows == [[.integer(value)]], "\(name)")
        }
        for (sql, problem) in [
            ("SELECT load_extension('x')", "not authorized"),
            ("SELECT fts3_tokenizer('simple', zeroblob(8))", "fts3tokenize disabled"),
            ("PRAGMA writable_schema = ON; DELETE FROM sqlite_master", "may not be modified"),
            ("ATTACH ':memory:' AS a; ATTACH ':memory:' AS b", "too many attached databases"),
        ] as [(SQLText, String)] {
            let answer = message { try connection.execute(sql) }
            #expect(answer.contains(problem), "\(sql)")
        }
    }

    @Test(
        "A read-only connection refuses to read views",
        arguments: [.readOnly, .immutable, .probe] as [SQLiteConnection.Access])
    func views(_ access: SQLiteConnection.Access) throws {
        let store = try TestStore()
        try store.execute("CREATE VIEW V AS SELECT 1")
        store.backend.close()
        let connection = try SQLiteConnection(path: store.path, access: access)
        defer { connection.close() }
        let answer = message { _ = try connection.rows("SELECT * FROM V") }
        #expect(answer == "access to view \"V\" prohibited")
    }

    @Test("Triggers may call functions that compute, but none that read files")
    func triggers() throws {
        let store = try TestStore()
        let report = SQLFunctionNames.updateReport
        try store.execute("CREATE TABLE L (a); CREATE TABLE M (a)")
        try store.execute(
            """
            CREATE TRIGGER T AFTER INSERT ON L BEGIN \
            INSERT INTO M VALUES (\(SQLFunctionNames.uppercase)(NEW.a)), (\(SQLFunctionNames.now)() > 0), \
            (\(SQLFunctionNames.stringSearch)(3, NEW.a, 'b', 0)); \
            SELECT \(report)('L', 1, NEW.rowid, 'a', NEW.a); END
            """)
        try store.execute("INSERT INTO L VALUES ('abc')")
        #expect(try store.query("SELECT a FROM M") == [[.text("ABC")], [.integer(1)], [.integer(1)]])
        try store.execute(
            "CREATE TRIGGER U AFTER DELETE ON L BEGIN SELECT \(SQLFunctionNames.contents)(OLD.a); END")
        let problem = message { try store.execute("DELETE FROM L") }
        #expect(problem == "unsafe use of \(SQLFunctionNames.contents)()")
    }

    @Test("Pragmas that an app asks for are run unchanged")
    func pragmas() throws {
        let store = try TestStore()
        store.backend.close()
        let backend = try store.reopened(DatabaseOptions(pragmas: ["journal_mode": "off"]))
        defer { backend.close() }
        _ = try backend.commit(ChangeSet(inserted: [LibraryModel.row("Author", -1)]))
        #expect(try store.query("PRAGMA journal_mode") != [[.text("wal")]])
    }
}
