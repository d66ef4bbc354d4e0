import CSQLite
package import CoreDataSQL

/// The settings that SQLite recommends for opening files from untrusted sources
/// (https://sqlite.org/security.html). They are applied before a connection reads anything.
extension SQLiteConnection {
    /// Applies the settings.
    ///
    /// - Parameter readsOnly: Whether the connection never writes. It then allows no views: no store has any,
    ///   and a view in the place of a table could run without end.
    func raiseDefences(readsOnly: Bool) throws(SQLError) {
        set(SQLITE_DBCONFIG_DEFENSIVE, to: true)
        // Triggers and indexes may call only harmless functions.
        set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: false)
        set(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, to: false)
        // The function returns memory addresses; Debian's SQLite enables it.
        set(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, to: false)
        if readsOnly { set(SQLITE_DBCONFIG_ENABLE_VIEW, to: false) }
        for (limit, number) in Self.limits { sqlite3_limit(database, limit, number) }
        // A damaged page is an error before it is used, and reading a file that another process truncates
        // does not crash.
        try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    }

    /// Reads the schema in a limited number of steps. SQLite reads all statistics with it, and a table of
    /// statistics can be made endless.
    func readSchema() throws(SQLError) {
        var steps = Self.mostStepsOfSchema
        try withUnsafeMutablePointer(to: &steps) { steps throws(SQLError) in
            sqlite3_progress_handler(
                database, Self.stepsBetweenChecks,
                { address in
                    guard let steps = address?.assumingMemoryBound(to: Int.self) else { return 0 }
                    steps.pointee -= Int(SQLiteConnection.stepsBetweenChecks)
                    return steps.pointee < 0 ? 1 : 0
                }, steps)
            defer { sqlite3_progress_handler(database, 0, nil, nil) }
            // Not reported to the log, since the app did not ask for the statement.
            let code = sqlite3_exec(database, "SELECT 1 FROM sqlite_master LIMIT 1", nil, nil, nil)
            if code == SQLITE_OK { return }
            let error = SQLError(code: code, database: database)
            guard error.kind == .interrupted else { throw error }
            throw SQLError(
                kind: .corrupt, code: Int(SQLITE_CORRUPT),
                message: "the schema and its statistics have no end", sql: nil)
        }
    }

    /// The bound of `readSchema`: a hundred times the steps for a schema of ten thousand tables with
    /// statistics of every kind.
    private static let mostStepsOfSchema = 100_000_000

    /// Allows triggers to write R-trees and full-text indexes, if the file has any, since some versions of
    /// SQLite do not count these as harmless. Must be called before rows are written. Harmful functions stay
    /// forbidden.
    package func trustIndexes() throws(SQLError) {
        let statement = try statement(
            """
            SELECT 1 FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING rtree%' \
            OR sql LIKE 'CREATE VIRTUAL TABLE % USING fts%'
            """)
        defer { statement.reset() }
        if try statement.step() { set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true) }
    }

    /// Runs `body` without the defences that reject pragmas such as `journal_mode = OFF`, for pragmas that
    /// the app asked for.
    func withoutDefences(_ body: () throws(SQLError) -> Void) throws(SQLError) {
        set(SQLITE_DBCONFIG_DEFENSIVE, to: false)
        defer { set(SQLITE_DBCONFIG_DEFENSIVE, to: true) }
        try body()
    }

    /// The limits of a connection. No statement of the framework attaches a database, but VACUUM does.
    /// Triggers of attributes that are derived from each other are nested a few levels deep.
    private static let limits = [(SQLITE_LIMIT_ATTACHED, Int32(1)), (SQLITE_LIMIT_TRIGGER_DEPTH, 100)]

    /// Turns a setting of the connection on or off (`SQLITE_DBCONFIG_…`).
    func set(_ setting: Int32, to isOn: Bool) {
        _ = opencoredata_configure(database, setting, isOn ? 1 : 0)
    }
}
