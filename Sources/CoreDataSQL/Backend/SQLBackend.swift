import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues
package import Foundation
import Synchronization

/// A store over a pool of connections: compiles values into SQL and runs it.
package final class SQLBackend: DatabaseBackend, StreamingBackend {
    package let schema: StoreSchema
    /// The layouts of the store's rows, shared by all that read them.
    package let layouts: RowLayouts
    /// The place of the store, for error messages.
    package let path: String?
    let pool: any SQLConnectionPool
    let dialect: any SQLDialect
    let keys: any KeyAllocator
    let compiler: SelectCompiler
    private let queries: CompiledQueries
    let saveCompiler: SaveCompiler
    let history: HistoryWriter?
    let historyCompiler: HistoryCompiler?
    let derivedTexts: DerivedTexts
    /// The derived attributes that writes compute of other rows; nil if there are none, or if triggers do.
    let derivedTotals: DerivedTotals?
    let searchWords: SearchWords
    /// The statements that read one row by its key, and those that read several rows by a list of keys, each
    /// compiled once per entity.
    private let rowQueries: Mutex<[CompiledQuery?]>

    let unsettled: UnsettledSaves
    /// The tables with triggers; nil until a save has asked for them.
    private let triggeredTables = Mutex<TriggeredTables?>(nil)

    package init(
        schema: StoreSchema,
        layouts: RowLayouts,
        dialect: any SQLDialect,
        keys: any KeyAllocator,
        pool: any SQLConnectionPool,
        history: HistoryWriter?,
        path: String?,
        unsettled: UnsettledSaves = UnsettledSaves()
    ) {
        self.unsettled = unsettled
        self.schema = schema
        self.layouts = layouts
        self.pool = pool
        self.dialect = dialect
        self.keys = keys
        self.path = path
        compiler = SelectCompiler(schema: schema, layouts: layouts, dialect: dialect)
        queries = CompiledQueries(compiler)
        saveCompiler = SaveCompiler(schema: schema, dialect: dialect)
        self.history = history
        historyCompiler = history?.compiler(dialect)
        derivedTexts = DerivedTexts(schema: schema, dialect: dialect)
        derivedTotals = dialect.derivedTotals(schema)
        searchWords = SearchWords(schema: schema, dialect: dialect)
        rowQueries = Mutex(Array(repeating: nil, count: 2 * schema.model.entities.count))
    }

    package func expireReads() {
        pool.expireReads()
    }

    package var readsMayOvertake: Bool { pool.readsMayOvertake }

    package func close() {
        pool.close()
    }

    func translate(_ error: SQLError) -> StoreError { StoreError(error, path: path) }

    @inline(__always)
    func read<Result>(
        _ freshness: ReadFreshness,
        _ body: (any SQLConnection) throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try pool.reading(freshness, body)
        } catch {
            throw translate(error)
        }
    }

    @inline(__always)
    func write<Result>(
        mayRepeat: Bool = true, _ body: (any SQLConnection) throws(SQLError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try pool.writing(mayRepeat: mayRepeat, body)
        } catch {
            throw translate(error)
        }
    }

    func triggeredTables(on connection: any SQLConnection) throws(SQLError) -> TriggeredTables {
        if let known = triggeredTables.withLock({ $0 }) { return known }
        let tables = try dialect.triggeredTables(on: connection)
        triggeredTables.withLock { $0 = tables }
        return tables
    }

    // MARK: Known rows

    package func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot? {
        let query = try rowQuery(row.entity, isBatch: false)
        var snapshot: Snapshot?
        do throws(SQLError) {
            // The generic `read` would look up its types at run time.
            try pool.read(.recent) { connection throws(SQLError) in
                let statement = try connection.prepare(query.select.sql)
                try statement.bind(.integer(row.key), at: 1)
                defer { statement.reset() }
                if try statement.step(), let plan = query.plan { snapshot = statement.decodeRow(plan) }
            }
        } catch {
            throw translate(error)
        }
        return snapshot
    }

    package func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot] {
        let byRoot = Dictionary(grouping: rows) { schema.model[$0.entity].root }
        var result: [Snapshot] = []
        result.reserveCapacity(rows.count)
        for root in byRoot.keys.sorted() {
            let query = try rowQuery(root, isBatch: true)
            let keys = SelectCompiler.keys(byRoot[root] ?? [])
            result += try read(.recent) { connection throws(SQLError) in
                try Self.snapshots(query, [keys], connection)
            }
        }
        return result
    }

    static func snapshots(
        _ query: CompiledQuery,
        _ bindings: [SQLValue],
        _ connection: any SQLConnection
    ) throws(SQLError) -> [Snapshot] {
        guard let plan = query.plan else { return [] }
        let statement = try connection.prepare(query.select.sql)
        try statement.bind(bindings)
        defer { statement.reset() }
        return try statement.decodeRows(plan, watch: FetchWatch.current)
    }

    func rowQuery(_ entity: EntityIndex, isBatch: Bool) throws(StoreError) -> CompiledQuery {
        let index = 2 * Int(entity) + (isBatch ? 1 : 0)
        if let known = rowQueries.withLock({ $0[index] }) { return known }
        let query = isBatch ? try compiler.rows(of: entity) : try compiler.row(of: entity)
        rowQueries.withLock { $0[index] = query }
        return query
    }

    package func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference] {
        let query = try compiler.related(slot, of: row)
        let family = members(of: slot, of: row.entity)
        return try read(.recent) { connection throws(SQLError) in
            try connection.references(query, in: family, schema)
        }
    }

    package func related(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> [Int64: [ObjectReference]] {
        guard let first = rows.first else { return [:] }
        let query = try compiler.related(slot, of: first.entity, ofEach: rows)
        let family = members(of: slot, of: first.entity)
        return try read(.recent) { connection throws(SQLError) in
            var result: [Int64: [ObjectReference]] = [:]
            try connection.forEachRow(of: query) { row in
                let key = row.integer(at: 1)
                guard let entity = schema.entity(numbered: row.integer(at: 2), in: family), key > 0 else {
                    return
                }
                result[row.integer(at: 0), default: []].append(ObjectReference(entity: entity, key: key))
            }
            return result
        }
    }

    /// Returns the entities that members of a relationship may have.
    private func members(of slot: Int, of entity: EntityIndex) -> Range<EntityIndex> {
        schema.model[entity].slots[slot].relationship.map { schema.model[$0.destination].family } ?? 0..<0
    }

    package func relatedRows(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> RelatedRows? {
        guard let query = try compiler.relatedRows(slot, ofEach: rows) else { return nil }
        return try read(.recent) { connection throws(SQLError) in
            let watch = FetchWatch.current
            var result = RelatedRows()
            try connection.forEachRow(of: query.select) { statement in
                if let row = statement.decodeRow(query.plan) {
                    result.append(row, of: statement.integer(at: query.ownerColumn))
                }
                watch?.noteRow()
            }
            result.finish()
            return result
        }
    }

    // MARK: Queries

    package func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult {
        let compiled = try queries.compile(query)
        return try read(.latestStatement) { connection throws(SQLError) in
            guard let watch = FetchWatch.current else { return try answer(query, compiled, connection) }
            return try connection.watched(by: watch) { () throws(SQLError) in
                try answer(query, compiled, connection)
            }
        }
    }

    package func fetchReferences(_ query: FetchQuery, into spool: ReferenceSpool) throws(StoreError) {
        let compiled = try queries.compile(query)
        let family = schema.model[query.entity].family
        try read(.latestStatement) { connection throws(SQLError) in
            // A read that lost its connection is run again.
            spool.removeAll()
            try connection.forEachReference(compiled.select, in: family, schema) { spool.append($0) }
        }
        try spool.requireAll()
    }

    package func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit {
        try QuerySplitter(schema: schema, dialect: dialect).split(query)
    }

    private func answer(
        _ query: FetchQuery,
        _ compiled: CompiledQuery,
        _ connection: any SQLConnection
    ) throws(SQLError) -> FetchResult {
        switch query.shape {
        case .rows: .rows(try Self.snapshots(compiled, compiled.select.bindings, connection))
        case .references:
            .references(
                try connection.references(
                    compiled.select, in: schema.model[query.entity].family, schema))
        case .count, .dictionaryCount: .count(try connection.count(compiled.select))
        case .dictionaries: .dictionaries(try Self.cells(compiled, connection))
        }
    }

    private static func cells(
        _ query: CompiledQuery,
        _ connection: any SQLConnection
    ) throws(SQLError) -> [[AttributeValue]] {
        guard let plan = query.cells else { return [] }
        let watch = FetchWatch.current
        var result: [[AttributeValue]] = []
        try connection.forEachRow(of: query.select) { row in
            result.append(plan.values(of: row))
            watch?.noteRow()
        }
        return result
    }

    // MARK: Metadata

    package func changeMetadata(_ change: (Data) throws(StoreError) -> Data) throws(StoreError) {
        let refusal = try write { connection throws(SQLError) -> StoreError? in
            try connection.begin(.immediate)
            let present = try Self.metadata(on: connection)
            let new: Data
            do throws(StoreError) {
                new = try change(present)
            } catch {
                connection.rollback()
                return error
            }
            try connection.run(Bookkeeping.updateMetadata(plist: new))
            try connection.commit()
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Returns the present metadata, which is empty in a damaged store.
    private static func metadata(on connection: any SQLConnection) throws(SQLError) -> Data {
        let statement = try connection.prepare(Bookkeeping.readMetadata.sql)
        defer { statement.reset() }
        guard try statement.step(), case .blob(let plist) = statement.value(at: 1) else { return Data() }
        return plist
    }
}
