import CSQLite
import CoreDataSQL

// Operations that need exclusive access to the database.
extension SQLiteConnection {
    /// Returns whether the database has no tables: the file is new, or its maker died before it made any.
    func isEmpty() throws(SQLError) -> Bool {
        let statement = try statement("SELECT 1 FROM sqlite_master")
        defer { statement.reset() }
        return try !statement.step()
    }

    /// Gives an empty database the settings of Apple's stores (sqlite-store §1). These must be set before its
    /// first page is written.
    func shape() throws(SQLError) {
        try execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
        // Another program may have written the first page.
        let settings = try (integer("PRAGMA page_size"), integer("PRAGMA auto_vacuum"))
        if settings != (4096, 2) {
            try execute("PRAGMA journal_mode = DELETE; VACUUM")
        }
        try execute("PRAGMA journal_mode = WAL")
    }

    private func integer(_ sql: SQLText) throws(SQLError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : 0
    }

    /// Runs `body`, and repeats it until the timeout while it fails because the database is busy, since
    /// SQLite itself does not wait for every lock.
    func repeatedly<Result>(
        _ timeout: Double, _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        let deadline = ContinuousClock.now + .seconds(timeout)
        while true {
            do throws(SQLError) {
                return try body()
            } catch {
                guard error.kind == .busy, ContinuousClock.now < deadline else { throw error }
                sqlite3_sleep(10)
            }
        }
    }
}
