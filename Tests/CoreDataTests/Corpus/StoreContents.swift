import Foundation

/// The complete content of a file, to be compared with a later one.
struct StoreContents {
    typealias Cell = PlainDatabase.Cell

    /// The identity of a row in its table: its key, or without a key its values.
    enum RowID: Hashable {
        case key(Int64)
        case row([Cell])
    }

    struct Row: Equatable {
        var values: [String: Cell]
        var count = 1
    }

    /// Tables, indexes and triggers with their texts.
    let schema: Set<[Cell]>
    let pragmas: [String: [[Cell]]]
    /// The rows by table. The tables behind a virtual table are compared through that table.
    let tables: [String: [RowID: Row]]
    let rTrees: [String]

    private static let pragmaNames = [
        "page_size", "auto_vacuum", "journal_mode", "encoding", "user_version", "application_id",
        "schema_version",
    ]

    init(_ url: URL) throws {
        let database = try PlainDatabase(url)
        schema = try database.schema()
        pragmas = Dictionary(
            uniqueKeysWithValues: try Self.pragmaNames.map { ($0, try database.rows("PRAGMA \($0)")) })
        let virtual = try database.strings(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'")
        rTrees = virtual
        var tables: [String: [RowID: Row]] = [:]
        for name in try database.strings("SELECT name FROM sqlite_master WHERE type = 'table'")
        where !virtual.contains(where: { name.hasPrefix($0 + "_") }) {
            tables[name] = try Self.rows(of: name, in: database)
        }
        self.tables = tables
    }

    private static func rows(of table: String, in database: PlainDatabase) throws -> [RowID: Row] {
        let columns = try database.strings("SELECT name FROM pragma_table_info('\(table)')")
        let key = columns.firstIndex { $0 == "Z_PK" || $0 == "Z_ENT" && table == "Z_PRIMARYKEY" }
        var result: [RowID: Row] = [:]
        for cells in try database.rows("SELECT * FROM \"\(table)\"") {
            let values = Dictionary(uniqueKeysWithValues: zip(columns, cells))
            if let key, case .integer(let number) = cells[key] {
                result[.key(number)] = Row(values: values)
            } else {
                result[.row(cells), default: Row(values: values, count: 0)].count += 1
            }
        }
        return result
    }

    // MARK: Differences

    struct Difference {
        var inserted: Set<RowID> = []
        var deleted: Set<RowID> = []
        /// The columns whose values differ.
        var updated: [RowID: Set<String>] = [:]

        var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updated.isEmpty }
    }

    /// Returns the changes of each table that differs.
    func differences(from earlier: StoreContents) -> [String: Difference] {
        var result: [String: Difference] = [:]
        for table in Set(tables.keys).union(earlier.tables.keys) {
            let (old, new) = (earlier.tables[table] ?? [:], tables[table] ?? [:])
            var difference = Difference()
            difference.inserted = Set(new.keys).subtracting(old.keys)
            difference.deleted = Set(old.keys).subtracting(new.keys)
            for (id, row) in new {
                guard let before = old[id], before != row else { continue }
                difference.updated[id] = Set(row.values.keys.filter { row.values[$0] != before.values[$0] })
            }
            if !difference.isEmpty { result[table] = difference }
        }
        return result
    }
}
