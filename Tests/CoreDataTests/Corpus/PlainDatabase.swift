import CSQLite
import CoreData
import Foundation

/// A SQLite file read without the framework, as a reference.
final class PlainDatabase: PlainTables {
    enum Cell: Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob(Data)

        var number: Double? {
            switch self {
            case .integer(let value): Double(value)
            case .real(let value): value
            default: nil
            }
        }
    }

    struct Failure: Error {
        let message: String
    }

    private var handle: OpaquePointer?

    /// - Parameter timeout: How long to wait for other connections, in milliseconds.
    init(_ url: URL, timeout: Int32 = 10_000) throws {
        guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw failure
        }
        sqlite3_busy_timeout(handle, timeout)
    }

    deinit { sqlite3_close_v2(handle) }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(handle))) }

    func bytes(_ value: Data) -> String { "x'\(value.map { String(format: "%02x", $0) }.joined())'" }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    func rows(_ sql: String) throws -> [[Cell]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure }
        defer { sqlite3_finalize(statement) }
        var result: [[Cell]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                result.append((0..<sqlite3_column_count(statement)).map { cell(statement, $0) })
            case SQLITE_DONE: return result
            default: throw failure
            }
        }
    }

    private func cell(_ statement: OpaquePointer?, _ column: Int32) -> Cell {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: return .text(String(cString: sqlite3_column_text(statement, column)))
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            guard count > 0, let bytes = sqlite3_column_blob(statement, column) else { return .blob(Data()) }
            return .blob(Data(bytes: bytes, count: count))
        default: return .null
        }
    }

    // MARK: Stores

    /// Every table, index and trigger with its text.
    func schema() throws -> Set<[Cell]> {
        Set(try rows("SELECT type, name, tbl_name, sql FROM sqlite_master"))
    }

    func has(table: String) throws -> Bool {
        try integer("SELECT COUNT(*) FROM sqlite_master WHERE name = '\(table)'") > 0
    }

    func triggers() throws -> String {
        try strings("SELECT sql FROM sqlite_master WHERE type = 'trigger'").joined(separator: "\n")
    }

    func tables() throws -> [String] { try strings("SELECT name FROM sqlite_master WHERE type = 'table'") }

    func columns(of table: String) throws -> Set<String> {
        Set(try strings("SELECT name FROM pragma_table_info('\(table)')"))
    }

    /// Returns the numbers of the entities by name (sqlite-store §3): those in the store, and for an entity
    /// that a migration renamed the number under the old name.
    func entityNumbers(in model: NSManagedObjectModel) throws -> [String: Int64] {
        var result: [String: Int64] = [:]
        for row in try rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000") {
            if case .text(let name) = row[0], case .integer(let number) = row[1] { result[name] = number }
        }
        let known = Set(model.entities.compactMap(\.name))
        let (old, new) = (Set(result.keys).subtracting(known), known.subtracting(result.keys))
        if let old = old.first, let new = new.first, let number = result.removeValue(forKey: old) {
            result[new] = number
        }
        return result
    }

    func metadata() throws -> NSDictionary {
        guard case .blob(let plist) = try rows("SELECT Z_PLIST FROM Z_METADATA").first?.first else {
            return [:]
        }
        let value = try PropertyListSerialization.propertyList(from: plist, format: nil)
        return value as? NSDictionary ?? [:]
    }

    func integrity() throws -> [String] { try strings("PRAGMA integrity_check") }
}
