import CoreDataModelFormat
import CoreDataSQL
import CoreDataSQLite
import CoreDataStore
import CoreDataValues
import Foundation
import Testing

@Suite("Stores written by Apple's framework", .enabled(if: Corpus.isThere))
struct CorpusSchemaTests {
    /// Column names and types of a table's DDL, in order.
    private func columns(_ sql: String) -> [String] {
        guard let start = sql.firstIndex(of: "("), let end = sql.lastIndex(of: ")") else { return [] }
        return sql[sql.index(after: start)..<end].split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("The schema computed from a store's model equals the schema in the store", arguments: Corpus.stores)
    func schema(store: String) throws {
        let folder = try TestFolder()
        let path = try Corpus.copy(store, to: folder)
        guard let model = try Corpus.model(at: path) else { return }
        let new = try SchemaCompiler(model, dialect: SQLiteDialect()).compile()
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        defer { connection.close() }
        var existing: [SQLIdentifier: String] = [:]
        for row in try connection.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'") {
            if case .text(let name) = row[0], case .text(let sql) = row[1] {
                existing[SQLIdentifier(name)] = sql
            }
        }
        for table in new.tables {
            let sql = try #require(existing[table.name], "\(table.name) is not in the store")
            let expected = table.columns.map { "\($0.name) \(SQLiteDialect().type(of: $0.type))" }
            let actual = columns(sql)
            #expect(Set(expected) == Set(actual), "\(table.name)")
            // A migration appends columns and leaves no blank before the parenthesis.
            let isFresh = sql.hasSuffix(" )") && !sql.contains("\"")
            if isFresh {
                #expect(
                    expected.filter { !$0.hasPrefix("Z_FOK") } == actual.filter { !$0.hasPrefix("Z_FOK") })
            }
        }
    }

    /// Stores with today's indexes: macOS 10.12 named the indexes of flagged attributes differently, and
    /// 10.15 left out two (sqlite-store §9).
    private static let withCurrentIndexes = Corpus.stores.filter {
        !$0.contains("Test-10.12") && !$0.contains("Test-10.15")
    }

    @Test("Every index of the computed schema is in the store", arguments: withCurrentIndexes)
    func indexes(store: String) throws {
        let folder = try TestFolder()
        let path = try Corpus.copy(store, to: folder)
        guard let model = try Corpus.model(at: path) else { return }
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        defer { connection.close() }
        let existing = Set(
            try connection.rows("SELECT sql FROM sqlite_master WHERE type = 'index'").map { $0[0] })
        for index in try SchemaCompiler(model, dialect: SQLiteDialect()).compile().indexes {
            #expect(existing.contains(.text(index.statement.sql.string)), "\(index.statement)")
        }
    }

    @Test("Most of the stores contain their model")
    func models() throws {
        var count = 0
        for store in Corpus.stores {
            let folder = try TestFolder()
            if try Corpus.model(at: try Corpus.copy(store, to: folder)) != nil { count += 1 }
        }
        #expect(count >= 20)
    }

    @Test("Every store opens with its own model, and all of its rows are read", arguments: Corpus.stores)
    func rows(store: String) throws {
        let folder = try TestFolder()
        let path = try Corpus.copy(store, to: folder)
        guard let model = try Corpus.model(at: path) else { return }
        let backend = try SQLiteStores.open(at: path, model: model)
        defer { backend.close() }
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        defer { connection.close() }
        for entity in model.entities where entity.superentity == nil {
            guard let table = backend.schema[entity.index] else { continue }
            let count = try connection.rows("SELECT COUNT(*) FROM \(table.tableName)")[0][0]
            guard case .rows(let rows) = try backend.fetch(FetchQuery(entity: entity.index)) else { continue }
            #expect(count == .integer(Int64(rows.count)), "\(entity.name)")
            for row in rows.prefix(5) {
                for slot in row.layout.entity.slots where slot.isToMany && !slot.isTransient {
                    _ = try backend.related(slot.index, of: row.reference)
                }
            }
        }
    }

    @Test("A row of every entity can be changed and read back", arguments: Corpus.stores)
    func saving(store: String) throws {
        let folder = try TestFolder()
        let path = try Corpus.copy(store, to: folder)
        guard let model = try Corpus.model(at: path) else { return }
        let backend = try SQLiteStores.open(at: path, model: model)
        defer { backend.close() }
        for entity in model.entities where entity.superentity == nil {
            guard case .rows(let rows) = try backend.fetch(FetchQuery(entity: entity.index, limit: 1)),
                let row = rows.first
            else { continue }
            let all = ColumnMask(row.layout.columns.indices)
            _ = try backend.commit(
                ChangeSet(updated: [RowUpdate(committed: row, proposed: row.clone(), changed: all)]))
            let fresh = try #require(try backend.snapshot(for: row.reference))
            // Triggers may raise the version once more and recompute derived attributes.
            #expect(fresh.version > row.version)
            for (column, described) in row.layout.columns.enumerated() {
                let slot = row.layout.entity.slots[described.slot]
                guard slot.attribute?.derivation == nil else { continue }
                #expect(fresh.isEqual(column, to: row), "\(entity.name).\(slot.name)")
            }
        }
    }
}
