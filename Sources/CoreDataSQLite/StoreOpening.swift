import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// The opening of one store's connections, including their settings.
struct StoreOpening: Sendable {
    let path: String
    let options: DatabaseOptions

    // MARK: Writing

    /// Opens a store that was just made. Throws an error of kind `moved` if it has been replaced by another
    /// one.
    func openWriter(of birth: StoreBirth) throws(SQLError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: options.timeout)
        guard try SQLiteStores.metadata(on: connection) == birth.metadata else { throw SQLError.moved }
        try connection.trustIndexes()
        try applySettings(to: connection)
        try connection.removeOrphanedFiles(birth.new.schema)
        return connection
    }

    func openWriter(_ schema: StoreSchema, addsHistory: Bool) throws(SQLError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: options.timeout)
        try applySettings(to: connection)
        if addsHistory { try addHistory(schema, to: connection) }
        try bringSearchTablesUpToDate(schema, on: connection)
        try connection.trustIndexes()
        try connection.removeOrphanedFiles(schema)
        if options.manualVacuum { try connection.execute("VACUUM") }
        if options.analyze { try connection.execute("ANALYZE") }
        return connection
    }

    /// Makes the tables of a history, unless another process has meanwhile made them.
    private func addHistory(_ schema: StoreSchema, to connection: SQLiteConnection) throws(SQLError) {
        try connection.begin(.immediate)
        if try !SQLiteDialect().catalog(on: connection).hasHistory {
            for fragment in HistorySchema(schema).statements(in: SQLiteDialect()) {
                try connection.run(fragment)
            }
        }
        try connection.commit()
    }

    /// Makes the full-text indexes that the model requests and the file lacks, and drops those that it does
    /// not request.
    private func bringSearchTablesUpToDate(
        _ schema: StoreSchema, on connection: SQLiteConnection
    ) throws(SQLError) {
        let wanted = schema.searchTables.values.sorted(by: \.source)
        // Checked first without a lock, so that a store that already has them is not written to and waits for
        // no writer.
        guard try !SearchCatalog(reading: connection).statements(toHave: wanted).isEmpty else { return }
        try connection.begin(.immediate)
        for fragment in try SearchCatalog(reading: connection).statements(toHave: wanted) {
            let statement = try connection.statement(fragment.sql)
            _ = try statement.step()
            statement.reset()
        }
        try connection.commit()
    }

    /// Applies the settings of a connection that writes. The app's pragmas come last, so they take
    /// precedence.
    private func applySettings(to connection: SQLiteConnection) throws(SQLError) {
        let names = Set(options.pragmas.keys.map { $0.lowercased() })
        if !names.contains("journal_mode") { try set("journal_mode", "WAL", on: connection) }
        // SQLite's own checkpoint runs within the commit that makes it due; the pool's checkpoint runs after
        // the commit.
        try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
        connection.watchLog()
        try connection.withoutDefences { () throws(SQLError) in
            for (name, value) in options.pragmas.sorted(by: \.key) {
                try set(name, value, on: connection)
            }
        }
    }

    /// Sets a pragma. Some pragmas take a lock for which SQLite does not wait.
    private func set(_ name: String, _ value: String, on connection: SQLiteConnection) throws(SQLError) {
        try connection.repeatedly(options.timeout) { () throws(SQLError) in
            try connection.execute("PRAGMA \(SQLIdentifier(name)) = \(quoting: value)")
        }
    }

    // MARK: Reading

    /// Opens a connection that cannot write. In a folder that cannot be written to, SQLite cannot create its
    /// index of the log (`-shm`); if there is no log, the file is then read as one that never changes.
    static func openReader(_ path: String, timeout: Double) throws(SQLError) -> SQLiteConnection {
        do throws(SQLError) {
            let connection = try SQLiteConnection(path: path, access: .readOnly, timeout: timeout)
            try connection.execute("PRAGMA schema_version")
            return connection
        } catch {
            guard error.kind == .cannotOpen || error.kind == .readOnly, !hasLog(path) else { throw error }
            let connection = try SQLiteConnection(path: path, access: .immutable, timeout: timeout)
            try connection.execute("PRAGMA schema_version")
            return connection
        }
    }

    /// Opens a connection for a first look at a store that may be rejected. It leaves no file behind.
    ///
    /// If there is no log, the connection is a probe, or reads only the file if it has no permission to
    /// write. If there is a log, the connection is read-only, since one that can write would copy the log
    /// into the database.
    static func openProbe(_ path: String, timeout: Double) throws(SQLError) -> SQLiteConnection {
        guard !hasLog(path) else { return try openReader(path, timeout: timeout) }
        let access: SQLiteConnection.Access = StoreFile.isWritable(path) ? .probe : .immutable
        let connection = try SQLiteConnection(path: path, access: access, timeout: timeout)
        try connection.execute("PRAGMA schema_version")
        return connection
    }

    /// Opens a connection to a store that must not change. It neither leaves a file behind nor removes one
    /// that a writer has left or is using.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - timeout: Seconds to wait for locks.
    ///   - hasIndex: Whether the log had an index (`-shm`) of another process when the store was opened. All
    ///     connections of a store must use the same answer. Otherwise a connection would take the index of
    ///     another connection of this process for that of another process, and leave it behind.
    static func openQuietly(
        _ path: String, timeout: Double, hasIndex: Bool
    ) throws(SQLError) -> SQLiteConnection {
        hasIndex ? try openReader(path, timeout: timeout) : try openProbe(path, timeout: timeout)
    }

    static func openQuietly(_ path: String, timeout: Double) throws(SQLError) -> SQLiteConnection {
        try openQuietly(path, timeout: timeout, hasIndex: hasIndex(path))
    }

    private static func hasIndex(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "-shm")
    }

    private static func hasLog(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
    }

    func backend(
        _ schema: StoreSchema,
        _ layouts: RowLayouts,
        _ writer: SQLiteConnection?,
        history: HistoryWriter?
    ) -> SQLBackend {
        let (path, timeout, hasIndex) = (path, options.timeout, Self.hasIndex(path))
        let pool = ConnectionPool(writer: writer, readerCount: options.connectionPoolSize) {
            [isReadOnly = options.isReadOnly] () throws(SQLError) -> SQLiteConnection in
            try isReadOnly
                ? Self.openQuietly(path, timeout: timeout, hasIndex: hasIndex)
                : Self.openReader(path, timeout: timeout)
        }
        return SQLBackend(
            schema: schema, layouts: layouts, dialect: SQLiteDialect(), keys: KeyCounter(schema), pool: pool,
            history: history, path: path)
    }
}
