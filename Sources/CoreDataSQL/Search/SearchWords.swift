import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues

/// The full-text indexes of a database that cannot find the words of a text itself: this process does, at each
/// save and batch, and when an index is made.
package struct SearchWords: Sendable {
    /// The index of one table, with its statements.
    private struct Index: Sendable {
        let table: SearchTable
        /// Selects keys and texts, up to a condition.
        let selection: SQLText
        /// Sets the words of rows. Its values are their keys, and the words for each column.
        let update: SQLText
        /// Whether texts are derived from others.
        var isDerived = false
    }

    /// The indexes by root entity.
    private let indexes: [EntityIndex: Index]
    /// The columns of packed rows whose texts are indexed, by entity.
    private let columns: [EntityIndex: ColumnMask]
    private let schema: StoreSchema
    private let dialect: any SQLDialect

    /// The number of rows whose texts are held in memory at a time.
    private static let rowsPerChunk = 500

    package init(schema: StoreSchema, dialect: any SQLDialect) {
        var indexes: [EntityIndex: Index] = [:]
        var columns: [EntityIndex: ColumnMask] = [:]
        for table in schema.entities.compactMap({ $0 }) {
            guard let search = schema.searchTables[table.tableName],
                let update = dialect.wordUpdate(of: search)
            else { continue }
            let entity = schema.model[table.entity]
            let indexed = table.columns.indices.filter { search.columns.contains(table.columns[$0].name) }
            columns[table.entity] = ColumnMask(indexed)
            let names = search.columns.joined(separator: ", ")
            var index =
                indexes[entity.root]
                ?? Index(
                    table: search, selection: "SELECT Z_PK, \(names) FROM \(search.source) WHERE ",
                    update: update)
            if indexed.contains(where: { entity.columns[$0].attribute?.derivation != nil }) {
                index.isDerived = true
            }
            indexes[entity.root] = index
        }
        (self.indexes, self.columns, self.schema, self.dialect) = (indexes, columns, schema, dialect)
    }

    /// Returns whether rows of any of the entities are indexed here.
    func exist(in family: Range<EntityIndex>) -> Bool { columns.keys.contains(where: family.contains) }

    /// Returns the rows of a plan whose words may have changed.
    func rows(of plan: SavePlan) -> [ObjectReference] {
        guard !columns.isEmpty else { return [] }
        var rows: [ObjectReference] = []
        for run in plan.inserts.runs where columns[run.key] != nil {
            rows += plan.inserts.references[run.indices].map(plan.permanent.current)
        }
        for update in plan.updates {
            let entity = update.reference.entity
            guard let indexed = columns[entity], !update.changed.isEmpty else { continue }
            let isDerived = indexes[schema.model[entity].root]?.isDerived ?? false
            if isDerived || indexed.columns.contains(where: update.changed.contains) {
                rows.append(update.reference)
            }
        }
        return rows
    }

    /// Whether a write of rows may change indexed texts of other rows, which are derived from theirs.
    var followOtherRows: Bool { indexes.values.contains(where: \.isDerived) }

    /// Returns those of the rows in which the store has derived values whose words may have changed.
    func rows(amongDerived rows: Set<ChangedRow>) -> [ObjectReference] {
        if rows.isEmpty { return [] }
        return indexes.filter(\.value.isDerived).flatMap { root, index in
            rows.filter { $0.table == index.table.source }.map { ObjectReference(entity: root, key: $0.key) }
        }
    }

    /// Indexes rows that were written, in the transaction that wrote them.
    func index(_ rows: [ObjectReference], on connection: any SQLConnection) throws(SQLError) {
        guard !indexes.isEmpty, !rows.isEmpty else { return }
        for (root, rows) in Dictionary(grouping: rows, by: { schema.model[$0.entity].root }) {
            guard let index = indexes[root] else { continue }
            var rest = Set(rows.map(\.key)).sorted()[...]
            while !rest.isEmpty {
                let keys = Array(rest.prefix(Self.rowsPerChunk))
                rest = rest.dropFirst(keys.count)
                let condition = dialect.isMember("Z_PK", of: "\(bind: .integers(keys))")
                _ = try write(index, condition, on: connection)
            }
        }
    }

    /// Indexes all rows of the tables, whose indexes are empty.
    package func fill(_ tables: [SearchTable], on connection: any SQLConnection) throws(SQLError) {
        for index in indexes.values where tables.contains(index.table) {
            var last: Int64? = 0
            while let key = last {
                last = try write(
                    index,
                    """
                    Z_PK > \(bind: .integer(key)) ORDER BY Z_PK \
                    LIMIT \(bind: .integer(Int64(Self.rowsPerChunk)))
                    """, on: connection)
            }
        }
    }

    /// Indexes the rows that a condition selects, and returns the key of the last one; nil for no rows.
    private func write(
        _ index: Index, _ condition: SQLFragment, on connection: any SQLConnection
    ) throws(SQLError) -> Int64? {
        var keys: [Int64] = []
        var words = [[String]](repeating: [], count: index.table.columns.count)
        try connection.forEachRow(of: SQLFragment(index.selection) + condition) { row in
            keys.append(row.integer(at: 0))
            for column in words.indices {
                guard case .text(let text) = row.value(at: Int32(column + 1)) else {
                    words[column].append("")
                    continue
                }
                words[column].append(FullTextWords(text).indexed)
            }
        }
        if keys.isEmpty { return nil }
        try connection.run(SQLFragment(index.update, bindings: [.integers(keys)] + words.map(SQLValue.texts)))
        return keys.last
    }
}

extension FullTextWords {
    /// The greatest number of bytes of a word of an index. Longer words are cut.
    static let longestIndexed = 1000
    /// The greatest number of bytes of all words of one text in an index. PostgreSQL allows a megabyte.
    private static let mostIndexed = 900_000

    /// The words as an index has them: each once, with spaces between them, as many as an index can have.
    fileprivate var indexed: String {
        let text = text
        if text.utf8.count <= Self.longestIndexed { return text }
        var seen: Set<Substring> = []
        var result: [String] = []
        var size = 0
        for word in text.split(separator: " ") where seen.insert(word).inserted {
            let word = word.utf8.count <= Self.longestIndexed ? String(word) : word.cut(Self.longestIndexed)
            size += word.utf8.count + 1
            if size > Self.mostIndexed { break }
            result.append(word)
        }
        return result.joined(separator: " ")
    }
}

extension Substring {
    /// Returns the first characters, which take no more bytes.
    fileprivate func cut(_ most: Int) -> String {
        var end = utf8.index(utf8.startIndex, offsetBy: most)
        while Unicode.UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
