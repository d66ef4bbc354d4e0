import CoreDataSQL
import CoreDataStore
import Foundation

/// Opens the connections of one store and brings its settings about.
struct StoreOpening: Sendable {
    let path: String
    let options: SQLiteStoreOptions

    // MARK: Writing

    /// Opens a store that was made just now. Throws an error of kind `moved` if it has become another one.
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

    /// Makes the tables of a history, if nobody else has done so meanwhile.
    private func addHistory(_ schema: StoreSchema, to connection: SQLiteConnection) throws(SQLError) {
        try connection.begin(.immediate)
        if try !StoreCatalog(reading: connection).hasHistory {
            for fragment in HistorySchema(schema).statements { try connection.run(fragment) }
        }
        try connection.commit()
    }

    /// Makes the full-text indexes that the model asks for and the file does not have, and drops all others.
    private func bringSearchTablesUpToDate(
        _ schema: StoreSchema, on connection: SQLiteConnection
    ) throws(SQLError) {
        let wanted = schema.searchTables.values.sorted { $0.source < $1.source }
        // A look first: a store that is as it should be is not written, nor does it wait for other writers.
        guard try !SearchCatalog(reading: connection).statements(toHave: wanted).isEmpty else { return }
        try connection.begin(.immediate)
        for fragment in try SearchCatalog(reading: connection).statements(toHave: wanted) {
            let statement = try connection.statement(fragment.sql)
            _ = try statement.step()
            statement.reset()
        }
        try connection.commit()
    }

    /// The user's pragmas come last, so they win.
    private func applySettings(to connection: SQLiteConnection) throws(SQLError) {
        let names = Set(options.pragmas.keys.map { $0.lowercased() })
        if !names.contains("journal_mode") { try set("journal_mode", "WAL", on: connection) }
        // SQLite's own checkpoint is part of the commit that makes it due; the pool's comes after it.
        try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0")
        connection.watchLog()
        try connection.withoutDefences { () throws(SQLError) in
            for (name, value) in options.pragmas.sorted(by: { $0.key < $1.key }) {
                try set(name, value, on: connection)
            }
        }
    }

    /// Some take a lock that SQLite does not wait for.
    private func set(_ name: String, _ value: String, on connection: SQLiteConnection) throws(SQLError) {
        try connection.repeatedly(options.timeout) { () throws(SQLError) in
            try connection.execute("PRAGMA \(SQLIdentifier(name)) = \(quoting: value)")
        }
    }

    // MARK: Reading

    /// A connection that cannot write. A file in a folder that cannot be written has no place for SQLite's
    /// index of the log; without a log it is read as a file that never changes.
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

    /// A connection for a look at a store that may be refused: it leaves no file behind. Without a log it is
    /// a probe, or where it must not write it reads the file alone. With a log it must not be one that could
    /// write, because that would copy the log into the database.
    static func openProbe(_ path: String, timeout: Double) throws(SQLError) -> SQLiteConnection {
        guard !hasLog(path) else { return try openReader(path, timeout: timeout) }
        let access: SQLiteConnection.Access = StoreFile.isWritable(path) ? .probe : .immutable
        let connection = try SQLiteConnection(path: path, access: access, timeout: timeout)
        try connection.execute("PRAGMA schema_version")
        return connection
    }

    /// A connection to a store that must stay as it is: it leaves no file behind, nor does it take one away
    /// that a writer has left or is using.
    ///
    /// - Parameter hasIndex: whether others have an index of the log there. Connections that are open
    ///   together must be of one mind: one that took the index of another of theirs for a stranger's would
    ///   leave it behind.
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
            schema: schema, layouts: layouts, dialect: SQLiteDialect(), pool: pool,
            history: history, path: path)
    }
}
