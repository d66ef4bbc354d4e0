import CSQLite
import CoreDataSQL

// What takes a moment in which nobody else is at work on the database.
extension SQLiteConnection {
    /// Whether nothing is in the database: a new file, or one whose maker died before it had any tables.
    func isEmpty() throws(SQLError) -> Bool {
        let statement = try statement("SELECT 1 FROM sqlite_master")
        defer { statement.reset() }
        return try !statement.step()
    }

    /// Gives an empty database the settings of Apple's stores (sqlite-store §1), which shape the file from
    /// its first page on.
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

    /// Tries something again, until the timeout, while somebody else is in the way: SQLite itself does not
    /// wait for every lock.
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
