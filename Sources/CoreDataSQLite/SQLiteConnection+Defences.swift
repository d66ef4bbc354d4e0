import CSQLite
package import CoreDataSQL

/// What SQLite asks of a program that opens files which others have made (https://sqlite.org/security.html).
/// Settings of a connection, made before it reads anything.
extension SQLiteConnection {
    /// Makes the settings.
    ///
    /// - Parameter readsOnly: whether the connection never writes. Views are then of no use: no store has
    ///   them, and one that stands where a table is expected could go on for ever.
    func raiseDefences(readsOnly: Bool) throws(SQLError) {
        set(SQLITE_DBCONFIG_DEFENSIVE, to: true)
        // Triggers and indexes call what can do no harm.
        set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: false)
        set(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, to: false)
        // It hands out addresses; Debian's SQLite has it on.
        set(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, to: false)
        if readsOnly { set(SQLITE_DBCONFIG_ENABLE_VIEW, to: false) }
        for (limit, number) in Self.limits { sqlite3_limit(database, limit, number) }
        // A damaged page is an error before it is used, and a file that others cut short is no access beyond
        // memory.
        try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    }

    /// Reads the schema in a bounded number of steps. SQLite reads with it what statistics there are, to the
    /// end, and a table may be made to have none.
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
            // Nobody asked for it, so that no trace tells of it.
            let code = sqlite3_exec(database, "SELECT 1 FROM sqlite_master LIMIT 1", nil, nil, nil)
            if code == SQLITE_OK { return }
            let error = SQLError(code: code, database: database)
            guard error.kind == .interrupted else { throw error }
            throw SQLError(
                kind: .corrupt, code: Int(SQLITE_CORRUPT),
                message: "the schema and its statistics have no end", sql: nil)
        }
    }

    /// A schema of ten thousand tables, with statistics of every kind, takes a hundredth of it.
    private static let mostStepsOfSchema = 100_000_000

    /// Has triggers keep R-trees and full-text indexes, if the file has such: not every version of SQLite
    /// counts them among what can do no harm. Whoever writes rows asks for it; all functions go on being told
    /// apart.
    package func trustIndexes() throws(SQLError) {
        let statement = try statement(
            """
            SELECT 1 FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING rtree%' \
            OR sql LIKE 'CREATE VIRTUAL TABLE % USING fts%'
            """)
        defer { statement.reset() }
        if try statement.step() { set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: true) }
    }

    /// Lets an app have the pragmas it asks for, of which the defences refuse some: `journal_mode = OFF`.
    func withoutDefences(_ body: () throws(SQLError) -> Void) throws(SQLError) {
        set(SQLITE_DBCONFIG_DEFENSIVE, to: false)
        defer { set(SQLITE_DBCONFIG_DEFENSIVE, to: true) }
        try body()
    }

    /// No statement of ours attaches a database; VACUUM attaches one by itself. Triggers of derived
    /// attributes that are derived from each other are a few deep.
    private static let limits = [(SQLITE_LIMIT_ATTACHED, Int32(1)), (SQLITE_LIMIT_TRIGGER_DEPTH, 100)]

    /// Turns a setting of the connection on or off (`SQLITE_DBCONFIG_…`).
    func set(_ setting: Int32, to isOn: Bool) {
        _ = opencoredata_configure(database, setting, isOn ? 1 : 0)
    }
}
