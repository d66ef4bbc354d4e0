package import CoreDataModelFormat
package import CoreDataSQL
package import CoreDataStore
package import CoreDataValues
package import Foundation

/// Stores in SQLite files, and the operations that examine, create and open them.
package enum SQLiteStores {
    // MARK: Without a model

    /// Returns whether there is a file with content at a path; false for an empty one.
    package static func exists(at path: String) throws(StoreError) -> Bool {
        switch try StoreFile(path).state {
        case .missing, .empty: false
        case .filled: true
        }
    }

    /// Returns the metadata of a store, a binary property list. Nil where a store can be made, since there is
    /// no file, or one without content or tables. Throws for a database that is not a store. Parts that a
    /// damaged store lacks are empty.
    package static func metadata(
        at path: String, timeout: Double = DatabaseOptions().timeout
    ) throws(StoreError) -> StoredMetadata? {
        guard try exists(at: path) else { return nil }
        return try reading(path, timeout) { connection throws(SQLError) in
            if let metadata = try metadata(on: connection) { return metadata }
            guard try connection.isEmpty() else { throw notAStore }
            return nil
        }
    }

    /// Changes the metadata of a store in one transaction. The store need not be open.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - timeout: Seconds to wait for other connections.
    ///   - change: Returns the new metadata, a binary property list, given the present one.
    package static func changeMetadata(
        at path: String, timeout: Double = DatabaseOptions().timeout,
        _ change: (StoredMetadata) throws(StoreError) -> Data
    ) throws(StoreError) {
        guard try exists(at: path) else { throw missing(path) }
        let connection = try translated(path) { () throws(SQLError) in
            let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
            try connection.begin(.immediate)
            return connection
        }
        defer {
            connection.rollback()
            connection.close()
        }
        let found = try translated(path) { () throws(SQLError) -> StoredMetadata? in
            if let found = try metadata(on: connection) { return found }
            guard try connection.isEmpty() else { throw notAStore }
            return nil
        }
        guard let found else { throw missing(path) }
        let plist = try change(found)
        try translated(path) { () throws(SQLError) in
            _ = try connection.run(Bookkeeping.updateMetadata(plist: plist))
            try connection.commit()
        }
    }

    /// Returns the archived model that a store contains, decompressed; nil for stores without one. Throws if
    /// the model is damaged.
    package static func modelCache(at path: String) throws(StoreError) -> Data? {
        guard try exists(at: path) else { return nil }
        return try reading(path) { connection throws(SQLError) in
            guard try connection.hasTable("Z_MODELCACHE") else { return nil }
            let statement = try connection.statement("SELECT Z_CONTENT FROM Z_MODELCACHE")
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            guard case .blob(let content) = statement.value(at: 0), let model = Deflate.decompress(content)
            else { throw damagedModel }
            return model
        }
    }

    /// Opens a connection for queries that no backend answers. The store's files are not changed. The caller
    /// closes the connection.
    package static func inspect(_ path: String) throws(StoreError) -> SQLiteConnection {
        guard try exists(at: path) else { throw missing(path) }
        return try translated(path) { () throws(SQLError) in
            try StoreOpening.openQuietly(path, timeout: DatabaseOptions().timeout)
        }
    }

    static func metadata(on connection: SQLiteConnection) throws(SQLError) -> StoredMetadata? {
        guard try connection.hasTable("Z_METADATA") else { return nil }
        let statement = try connection.statement(Bookkeeping.readMetadata.sql)
        defer { statement.reset() }
        guard try statement.step() else { return StoredMetadata(uuid: "", plist: Data()) }
        let uuid: String? = if case .text(let text) = statement.value(at: 0) { text } else { nil }
        let plist: Data? = if case .blob(let bytes) = statement.value(at: 1) { bytes } else { nil }
        return StoredMetadata(uuid: uuid ?? "", plist: plist ?? Data())
    }

    // MARK: With a model

    /// Makes a store where there is no file, or one without content. A failure leaves the path as it was.
    ///
    /// - Throws: An error of kind `overtaken` if there is a store, even one that another process has just
    ///   made.
    /// - Parameters:
    ///   - subset: The entities of a configuration; nil for all.
    ///   - metadata: A binary property list.
    ///   - modelCache: The archived model, not yet compressed.
    package static func create(
        at path: String,
        model: CompiledModel,
        layouts: RowLayouts? = nil,
        subset: Set<EntityIndex>? = nil,
        metadata: Data,
        uuid: String,
        modelCache: Data? = nil,
        options: DatabaseOptions = DatabaseOptions()
    ) throws(StoreError) -> SQLBackend {
        guard try Self.metadata(at: path, timeout: options.timeout) == nil else { throw overtaken(path) }
        guard !options.isReadOnly else {
            throw StoreError(
                .fileMissing, "a store that does not exist cannot be opened read-only", path: path)
        }
        try StoreFile.requireWritable(path)
        let new = try SchemaCompiler(model, subset: subset, dialect: SQLiteDialect()).compile()
        let birth = StoreBirth(new, StoredMetadata(uuid: uuid, plist: metadata), modelCache, options)
        let opening = StoreOpening(path: path, options: options)
        if try exists(at: path) {
            try translated(path) { () throws(SQLError) in try birth.fill(path) }
        } else {
            try birth.publish(at: path)
        }
        let writer = try inPlace(path) { () throws(StoreError) in
            try translated(path) { () throws(SQLError) in try opening.openWriter(of: birth) }
        }
        return opening.backend(
            new.schema, layouts ?? RowLayouts(model), writer,
            history: options.tracksHistory
                ? HistoryWriter(new.schema, retention: options.historyRetention) : nil)
    }

    /// Opens an existing store with a model that fits its tables.
    ///
    /// - Parameter expected: The metadata that was read before. If the store has other metadata now, an error
    ///   of kind `overtaken` is thrown.
    package static func open(
        at path: String,
        expecting expected: StoredMetadata? = nil,
        model: CompiledModel,
        layouts: RowLayouts? = nil,
        subset: Set<EntityIndex>? = nil,
        options: DatabaseOptions = DatabaseOptions()
    ) throws(StoreError) -> SQLBackend {
        guard try exists(at: path) else { throw missing(path) }
        if !options.isReadOnly { try StoreFile.requireWritable(path) }
        let opening = StoreOpening(path: path, options: options)
        let found = try reading(path, options.timeout) { connection throws(SQLError) in
            let metadata = try metadata(on: connection)
            if let expected, metadata != expected { return Optional<(StoreCatalog, SearchCatalog)>.none }
            guard metadata != nil else { throw notAStore }
            return (try SQLiteDialect().catalog(on: connection), try SearchCatalog(reading: connection))
        }
        guard let (catalog, searches) = found else { throw overtaken(path) }
        var schema: StoreSchema
        do throws(StoreError) {
            schema = try SchemaProbe(
                model, catalog: catalog, subset: subset, dialect: SQLiteDialect()
            ).schema()
            schema.searchTables = try schema.wantedSearchTables()
            // A read-only store gets no new indexes.
            if options.isReadOnly { schema.searchTables = schema.searchTables.filter { searches.has($1) } }
        } catch {
            throw StoreError(error.kind, error.message, path: path)
        }
        let keepsHistory = catalog.hasHistory || options.tracksHistory && !options.isReadOnly
        let writer = try translated(path) { [schema] () throws(SQLError) in
            try options.isReadOnly
                ? nil : opening.openWriter(schema, addsHistory: keepsHistory && !catalog.hasHistory)
        }
        let history = HistoryWriter(schema, catalog: catalog, retention: options.historyRetention)
        return opening.backend(
            schema, layouts ?? RowLayouts(model), writer, history: keepsHistory ? history : nil)
    }

    // MARK: Errors

    static let notAStore = SQLError(
        kind: .notADatabase, code: 26, message: "the database is no Core Data store", sql: nil)
    private static let damagedModel = SQLError(
        kind: .corrupt, code: 11,
        message: "the model in the store is damaged: Z_MODELCACHE cannot be unpacked",
        sql: nil)

    private static func reading<Result>(
        _ path: String,
        _ timeout: Double = DatabaseOptions().timeout,
        _ body: (SQLiteConnection) throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        try translated(path) { () throws(SQLError) in
            let connection = try StoreOpening.openQuietly(path, timeout: timeout)
            defer { connection.close() }
            // One transaction, so that all reads see the same state.
            try connection.begin(.deferred)
            defer { connection.rollback() }
            return try body(connection)
        }
    }

    private static func missing(_ path: String) -> StoreError {
        StoreError(.fileMissing, "there is no store", path: path)
    }

    static func overtaken(_ path: String) -> StoreError {
        StoreError(.overtaken, "another process or coordinator has changed the store meanwhile", path: path)
    }

    static func translated<Result>(
        _ path: String,
        _ body: () throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try body()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
