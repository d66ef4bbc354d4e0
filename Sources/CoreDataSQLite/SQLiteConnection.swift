import CSQLite
package import CoreDataSQL
package import CoreDataStore

/// A connection to one database file.
///
/// It is opened without SQLite's own mutex: in a pool, a lock lets only one thread use it at a time;
/// otherwise it has one owner, which waits while a check runs on a thread with a larger stack. Therefore
/// `@unchecked Sendable` is true.
package final class SQLiteConnection: SQLConnection, @unchecked Sendable {
    package enum Access: Sendable {
        case readOnly
        /// Read-only, under the promise that no process writes, for folders in which SQLite cannot create the
        /// log's index file.
        case immutable
        /// For reading, but opened for writing, since only a connection opened in this way removes its log
        /// and index again.
        case probe
        case readWrite
        case create
        /// A database that this process made and that no other process can have changed.
        case scratch
    }

    package let path: String
    let database: OpaquePointer
    /// The files of values that are too large for a row (sqlite-store §6).
    let externalFiles: ExternalFiles
    let logWatch = LogWatch()
    /// The registration that protects SQLite's locks; nil for the first look at a file, and for a temporary
    /// file of this process.
    private var use: OpenDatabase?
    @exclusivity(unchecked) private var cache = StatementCache()
    private var isOpen = true
    /// Whether a transaction is still open because its rollback failed.
    private var isRollbackDue = false

    package init(path: String, access: Access, timeout: Double = 10) throws(SQLError) {
        _ = Self.configured
        self.path = path
        externalFiles = ExternalFiles(storePath: path)
        var handle: OpaquePointer?
        let mode =
            switch access {
            case .readOnly, .immutable: SQLITE_OPEN_READONLY
            case .probe, .readWrite: SQLITE_OPEN_READWRITE
            case .create, .scratch: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        let isImmutable = access == .immutable
        let name = isImmutable ? Self.immutableURI(path) : path
        let flags = mode | SQLITE_OPEN_NOMUTEX | (isImmutable ? SQLITE_OPEN_URI : 0)
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLError(code: code, database: handle, path: path)
            sqlite3_close_v2(handle)
            throw error
        }
        database = handle
        sqlite3_extended_result_codes(database, 1)
        sqlite3_busy_timeout(database, Int32(clamping: Int(timeout * 1000)))
        SQLiteFunctions.register(on: database)
        SQLiteFunctions.registerContents(of: externalFiles, on: database)
        SQLiteCollations.register(on: database)
        if [.readOnly, .readWrite].contains(access) { use = OpenDatabase(path) }
        do throws(SQLError) {
            if access != .scratch {
                try raiseDefences(readsOnly: [.readOnly, .immutable, .probe].contains(access))
            }
            if access == .probe { try execute("PRAGMA query_only = ON") }
            if ![.create, .scratch].contains(access) { try readSchema() }
            // With a log, the lock that is held now keeps the file from being replaced.
            if access == .readWrite { try requireInPlace() }
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Turns SQLite's memory statistics off, since all connections share their lock and readers could not run
    /// in parallel. Done once, before the first connection; a failure is ignored.
    private static let configured: Void = {
        _ = opencoredata_disable_memory_statistics()
    }()

    private static func immutableURI(_ path: String) -> String {
        var escaped = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"):
                escaped += "%" + String(byte, radix: 16, uppercase: true)
            default: escaped.unicodeScalars.append(UnicodeScalar(byte))
            }
        }
        return "file:\(escaped)?immutable=1"
    }

    // MARK: Statements

    package func prepare(_ sql: SQLText) throws(SQLError) -> any SQLStatement {
        try statement(sql)
    }

    func statement(_ sql: SQLText) throws(SQLError) -> SQLiteStatement {
        if let cached = cache.idleStatement(sql.string) { return cached }
        let fresh = try SQLiteStatement(sql, on: self)
        cache.insert(fresh, for: sql.string)
        return fresh
    }

    package func execute(_ sql: SQLText) throws(SQLError) {
        let trace = StatementTrace.current
        trace?.start()
        let code = sqlite3_exec(database, sql.string, nil, nil, nil)
        let failure = code == SQLITE_OK ? nil : SQLError(code: code, database: database, sql: sql)
        if let trace {
            SQLLog.report(
                trace.entry(path: path, sql: sql.string) { _ in failure.map { .failed($0.message) } ?? .ran })
        }
        if let failure { throw failure }
    }

    package func run(_ steps: [WriteStep], by compiler: SaveCompiler) throws(SQLError) -> StepOutcome {
        try StepRunner(compiler, on: self).run(steps)
    }

    package func upsert(
        _ rows: [BatchRow], by upserts: UpsertCompiler, answersRows: Bool
    ) throws(SQLError) -> UpsertReceipt {
        var runner = UpsertRunner(upserts, answersRows: answersRows, on: self)
        for row in rows { try runner.run(row) }
        return runner.receipt
    }

    // MARK: Transactions

    package func begin(_ mode: TransactionMode) throws(SQLError) {
        if isRollbackDue { rollback() }
        let statement = try statement(mode == .immediate ? "BEGIN IMMEDIATE" : "BEGIN")
        _ = try statement.step()
    }

    package func commit() throws(SQLError) {
        try externalFiles.synchronize()
        do throws(SQLError) {
            _ = try statement("COMMIT").step()
        } catch {
            externalFiles.leave()
            throw error
        }
        externalFiles.commit()
    }

    /// Rolls the transaction back. Callers have no error to handle: if the rollback fails, SQLite has already
    /// rolled back by itself, or had no memory for it; then the next transaction begins with the rollback.
    package func rollback() {
        if isInTransaction { _ = try? statement("ROLLBACK").step() }
        isRollbackDue = isInTransaction
        externalFiles.rollback()
    }

    package func releaseExternal(_ value: SQLValue) {
        if case .blob(let reference) = value { externalFiles.release(reference) }
    }

    package func recordingChanges<Result>(
        _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> (Result, Set<ChangedRow>) {
        let recorder = ChangeRecorder(database)
        defer { recorder.stop() }
        return (try body(), recorder.rows)
    }

    package func watched<Result>(
        by watch: FetchWatch,
        _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        // The caller keeps the watch alive longer than the handler.
        sqlite3_progress_handler(
            database, Self.stepsBetweenChecks,
            { Unmanaged<FetchWatch>.fromOpaque($0!).takeUnretainedValue().isCancelled ? 1 : 0 },
            Unmanaged.passUnretained(watch).toOpaque())
        defer { sqlite3_progress_handler(database, 0, nil, nil) }
        return try body()
    }

    /// The number of steps of SQLite's virtual machine after which a watched statement checks whether it was
    /// cancelled. They take some ten microseconds.
    static let stepsBetweenChecks: Int32 = 1000

    /// False once the connection is closed, after which SQLite must not be asked.
    package var isInTransaction: Bool { isOpen && sqlite3_get_autocommit(database) == 0 }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        cache.removeAll()
        // v2: a statement that still exists keeps the handle alive until it is released.
        sqlite3_close_v2(database)
        use = nil
    }

    /// Throws if there is another file at the path now.
    func requireInPlace() throws(SQLError) {
        var hasMoved: Int32 = 0
        sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved != 0 { throw SQLError.moved }
    }
}
