import CoreDataLibpq
package import CoreDataModelFormat
package import CoreDataSQL
package import CoreDataStore
package import CoreDataValues
package import Foundation

/// Stores in PostgreSQL databases, one a schema, and the operations that examine, create and open them.
///
/// The framework finds this type by its name, so that only programs that link it need libpq. It is a class,
/// since types of other kinds are not found by the name that they have in source.
package final class PostgreSQLStores: DatabaseStores {
    // MARK: Without a model

    package static func metadata(at place: String, timeout: Double) throws(StoreError) -> StoredMetadata? {
        try reading(place, timeout) { session throws(SQLError) in try metadata(on: session) }
    }

    package static func changeMetadata(
        at place: String, timeout: Double, _ change: (StoredMetadata) throws(StoreError) -> Data
    ) throws(StoreError) {
        let options = try options(place)
        try using(options, timeout) { session throws(StoreError) in
            let found = try translated(options) { () throws(SQLError) in
                try session.begin(.immediate)
                return try metadata(on: session)
            }
            guard let found else { throw missing(options) }
            let plist = try change(found)
            try translated(options) { () throws(SQLError) in
                try session.run(Bookkeeping.updateMetadata(plist: plist))
                try session.commit()
            }
        }
    }

    package static func modelCache(at place: String) throws(StoreError) -> Data? {
        try reading(place, DatabaseOptions().timeout) { session throws(SQLError) in
            guard try hasStore(session) else { return nil }
            var content: Data?
            try session.forEachRow(of: "SELECT Z_CONTENT FROM Z_MODELCACHE") { row in
                if case .blob(let bytes) = row.value(at: 0) { content = bytes }
            }
            return content
        }
    }

    /// Returns the metadata of the store; nil where one can be made. Parts that a damaged store lacks are
    /// empty.
    static func metadata(on session: Session) throws(SQLError) -> StoredMetadata? {
        guard try hasStore(session) else { return nil }
        var found = StoredMetadata(uuid: "", plist: Data())
        try session.forEachRow(of: Bookkeeping.readMetadata) { row in
            if case .text(let uuid) = row.value(at: 0) { found.uuid = uuid }
            if case .blob(let plist) = row.value(at: 1) { found.plist = plist }
        }
        return found
    }

    /// Returns whether the schema has a store. Tables of other programs may be in it, too.
    static func hasStore(_ session: Session) throws(SQLError) -> Bool {
        try session.findsRow("SELECT 1 WHERE to_regclass('z_metadata') IS NOT NULL")
    }

    // MARK: With a model

    package static func create(
        at place: String, model: CompiledModel, layouts: RowLayouts?, subset: Set<EntityIndex>?,
        metadata: Data, uuid: String, modelCache: Data?, options: DatabaseOptions
    ) throws(StoreError) -> SQLBackend {
        let connection = try self.options(place)
        guard !options.isReadOnly else {
            throw StoreError(
                .fileMissing, "a store that does not exist cannot be opened read-only",
                path: connection.description)
        }
        let new = try SchemaCompiler(model, subset: subset, dialect: dialect).compile()
        var statements = new.statements
        statements.append(Bookkeeping.insertMetadata(uuid: uuid, plist: metadata))
        // The server compresses large values itself.
        if let modelCache { statements.append(Bookkeeping.insertModelCache(modelCache)) }
        if options.tracksHistory { statements += HistorySchema(new.schema).statements(in: dialect) }
        if options.leavesSaveMarks { statements.append(SQLFragment(SaveMark.definition)) }
        let isMade = try changing(connection, options.timeout) { session throws(SQLError) in
            guard try !hasStore(session) else { return false }
            try makeSchema(connection, session)
            for statement in statements { try session.run(statement) }
            try TableComments(new.schema).set(on: session)
            try ReadableViews(new.schema).make(on: session)
            return true
        }
        guard isMade else { throw overtaken(connection) }
        let history = HistoryWriter(
            new.schema, form: dialect.historyForm, retention: options.historyRetention)
        return try backend(
            connection, new.schema, layouts ?? RowLayouts(model), options,
            history: options.tracksHistory ? history : nil)
    }

    package static func open(
        at place: String, expecting expected: StoredMetadata?, model: CompiledModel, layouts: RowLayouts?,
        subset: Set<EntityIndex>?, options: DatabaseOptions
    ) throws(StoreError) -> SQLBackend {
        let connection = try self.options(place)
        let role = ConnectionOptions.Role(isReadOnly: options.isReadOnly)
        let found = try reading(connection, as: role, options.timeout) { session throws(SQLError) in
            let metadata = try metadata(on: session)
            let isExpected = metadata != nil && (expected == nil || metadata == expected)
            return isExpected ? try dialect.catalog(on: session) : nil
        }
        guard let catalog = found else { throw overtaken(connection) }
        var schema: StoreSchema
        do throws(StoreError) {
            schema = try SchemaProbe(
                model, catalog: catalog, subset: subset, dialect: dialect
            ).schema()
        } catch {
            throw StoreError(error.kind, error.message, path: connection.description)
        }
        try bringSearchTablesUpToDate(&schema, catalog, connection, options)
        let keepsHistory = catalog.hasHistory || options.tracksHistory && !options.isReadOnly
        if keepsHistory, !catalog.hasHistory { try addHistory(schema, connection, options) }
        if catalog.hasHistory, !options.isReadOnly { try adoptHistory(connection, options) }
        if options.leavesSaveMarks, !options.isReadOnly { try prepareMarks(connection, options) }
        let history = HistoryWriter(
            schema, catalog: catalog, form: dialect.historyForm, retention: options.historyRetention)
        return try backend(
            connection, schema, layouts ?? RowLayouts(model), options,
            history: keepsHistory ? history : nil)
    }

    /// Makes the full-text indexes that the model declares. A store that is only read uses those that it has.
    private static func bringSearchTablesUpToDate(
        _ schema: inout StoreSchema, _ catalog: StoreCatalog, _ connection: ConnectionOptions,
        _ options: DatabaseOptions
    ) throws(StoreError) {
        schema.searchTables = try schema.wantedSearchTables()
        if options.isReadOnly {
            schema.searchTables = schema.searchTables.filter { SearchUpkeep.has($1, in: catalog) }
            return
        }
        let complete = schema
        guard SearchUpkeep(complete.searchTables.values, in: catalog).isNeeded else { return }
        try changing(connection, options.timeout) { session throws(SQLError) in
            // Another process may have made them meanwhile.
            let upkeep = SearchUpkeep(complete.searchTables.values, in: try dialect.catalog(on: session))
            try upkeep.run(complete, dialect, on: session)
        }
    }

    /// Makes the tables of a history, unless another process has made them meanwhile.
    private static func addHistory(
        _ schema: StoreSchema, _ connection: ConnectionOptions, _ options: DatabaseOptions
    ) throws(StoreError) {
        try changing(connection, options.timeout) { session throws(SQLError) in
            guard try !dialect.catalog(on: session).hasHistory else { return }
            for fragment in HistorySchema(schema).statements(in: dialect) { try session.run(fragment) }
        }
    }

    /// Makes a history that was copied into this database from another one part of this one's.
    private static func adoptHistory(
        _ connection: ConnectionOptions, _ options: DatabaseOptions
    ) throws(StoreError) {
        let isForeign = try reading(connection, as: nil, options.timeout) { session throws(SQLError) in
            try session.findsRow(ConcurrentHistory.isForeign)
        }
        guard isForeign else { return }
        try changing(connection, options.timeout) { session throws(SQLError) in
            for statement in ConcurrentHistory.adoption { try session.run(statement) }
        }
    }

    /// Makes the table of marks, unless it is there, and deletes old marks.
    private static func prepareMarks(
        _ connection: ConnectionOptions, _ options: DatabaseOptions
    ) throws(StoreError) {
        try using(connection, options.timeout) { session throws(StoreError) in
            try translated(connection) { () throws(SQLError) in
                guard try session.findsRow(SaveMark.isMissing) else {
                    return try session.execute(SaveMark.pruning)
                }
                guard try session.findsRow(SaveMark.mayBeMade) else { throw SaveMark.forbidden }
                try changing(session) { () throws(SQLError) in try session.execute(SaveMark.definition) }
            }
        }
    }

    private static func backend(
        _ connection: ConnectionOptions, _ schema: StoreSchema, _ layouts: RowLayouts,
        _ options: DatabaseOptions, history: HistoryWriter?
    ) throws(StoreError) -> SQLBackend {
        var limits = PostgreSQLPool.Limits()
        limits.connections = max(2, options.connectionPoolSize)
        let keys = KeySequences(schema)
        // A store that is only read has the standbys of its own URL.
        let standbys = try options.isReadOnly ? nil : Self.standbys(options.standbys, of: connection)
        let pool = SessionPool(
            connection, standbys: standbys, limits: limits, timeout: options.timeout,
            isReadOnly: options.isReadOnly, leavesMarks: options.leavesSaveMarks,
            keepsHistory: history != nil, noteHistory: keys.note(history:))
        return SQLBackend(
            schema: schema, layouts: layouts, dialect: dialect, keys: keys, pool: pool,
            history: history, path: connection.description)
    }

    // MARK: Removing

    /// Drops the tables of the store. Tables of other programs, and the schema, stay.
    package static func destroy(at place: String, timeout: Double, isForced: Bool) throws(StoreError) {
        let options = try options(place)
        try changing(options, timeout) { session throws(SQLError) in
            try StoreTables.drop(on: session)
        }
    }

    // MARK: Sessions

    static var dialect: PostgreSQLDialect { PostgreSQLDialect() }

    static func options(_ place: String) throws(StoreError) -> ConnectionOptions {
        try parsing { () throws(PostgreSQLError) in try ConnectionOptions(place) }
    }

    private static func standbys(
        _ url: String?, of primary: ConnectionOptions
    ) throws(StoreError) -> ConnectionOptions? {
        guard let url else { return nil }
        return try parsing { () throws(PostgreSQLError) in try primary.merging(url) }
    }

    private static func parsing(
        _ body: () throws(PostgreSQLError) -> ConnectionOptions
    ) throws(StoreError) -> ConnectionOptions {
        do throws(PostgreSQLError) {
            return try body()
        } catch {
            // Without the place, which may have a password.
            throw StoreError(SQLError(error), path: nil)
        }
    }

    /// Runs the body in a transaction in which no other program makes or changes the tables of the schema.
    static func changing<Result>(
        _ options: ConnectionOptions, _ timeout: Double, _ body: (Session) throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        try using(options, timeout) { session throws(StoreError) in
            try translated(options) { () throws(SQLError) in
                try changing(session) { () throws(SQLError) in try body(session) }
            }
        }
    }

    private static func changing<Result>(
        _ session: Session, _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        try session.begin(.immediate)
        try AdvisoryLock.schema.lockForTransaction(session)
        let result = try body()
        try session.commit()
        return result
    }

    /// Makes the schema that the URL names, if it names one.
    static func makeSchema(_ options: ConnectionOptions, _ session: Session) throws(SQLError) {
        guard let schema = options.schema else { return }
        try session.execute("CREATE SCHEMA IF NOT EXISTS \(SQLIdentifier.foreign(schema))")
    }

    private static func reading<Result>(
        _ place: String, _ timeout: Double, _ body: (Session) throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        try reading(try options(place), as: nil, timeout, body)
    }

    /// Reads in one transaction, so that all reads see the same state.
    ///
    /// - Parameter role: The role of the session; nil for that of a writer, or else of a reader where no
    ///   server writes.
    private static func reading<Result>(
        _ options: ConnectionOptions, as role: ConnectionOptions.Role?, _ timeout: Double,
        _ body: (Session) throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        try using(options, as: role, timeout) { session throws(StoreError) in
            try translated(options) { () throws(SQLError) in
                try session.begin(.deferred)
                let result = try body(session)
                try session.commit()
                return result
            }
        }
    }

    static func using<Result>(
        _ options: ConnectionOptions, as role: ConnectionOptions.Role? = .writer, _ timeout: Double,
        _ body: (Session) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let session = try session(options, as: role, timeout)
        defer { session.close() }
        return try body(session)
    }

    static func session(
        _ options: ConnectionOptions, as role: ConnectionOptions.Role? = .writer, _ timeout: Double
    ) throws(StoreError) -> Session {
        try translated(options) { () throws(SQLError) in
            try translating { () throws(PostgreSQLError) in
                do throws(PostgreSQLError) {
                    return Session(
                        try PostgreSQLConnection(options, role: role ?? .writer, lockTimeout: timeout))
                } catch  where role == nil && error.kind == .notPrimary {
                    return Session(try PostgreSQLConnection(options, role: .reader, lockTimeout: timeout))
                }
            }
        }
    }

    static func translated<Result>(
        _ options: ConnectionOptions, _ body: () throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try body()
        } catch {
            throw StoreError(error, path: options.description)
        }
    }

    private static func missing(_ options: ConnectionOptions) -> StoreError {
        StoreError(.fileMissing, "there is no store", path: options.description)
    }

    static func overtaken(_ options: ConnectionOptions) -> StoreError {
        StoreError(
            .overtaken, "another process or coordinator has changed the store meanwhile",
            path: options.description)
    }
}
