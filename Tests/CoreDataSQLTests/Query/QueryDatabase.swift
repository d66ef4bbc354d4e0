import CSQLite
import CoreDataSQL
import Foundation
import Testing

/// An SQLite database in memory, used by the plain C interface, which shows that statements have the intended
/// meaning.
final class QueryDatabase {
    private let handle: OpaquePointer

    init(_ statements: [SQLText]) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open(":memory:", &handle) == SQLITE_OK)
        self.handle = try #require(handle)
        for statement in statements { try rows(SQLFragment(statement)) }
    }

    deinit { sqlite3_close(handle) }

    @discardableResult
    func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, fragment.sql.string, -1, &statement, nil)
        try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle))): \(fragment)")
        defer { sqlite3_finalize(statement) }
        try #require(Int(sqlite3_bind_parameter_count(statement)) == fragment.bindings.count, "\(fragment)")
        for (index, value) in fragment.bindings.enumerated() { bind(value, Int32(index + 1), statement) }
        var rows: [[SQLValue]] = []
        var step = sqlite3_step(statement)
        while step == SQLITE_ROW {
            rows.append((0..<sqlite3_column_count(statement)).map { value(statement, $0) })
            step = sqlite3_step(statement)
        }
        try #require(step == SQLITE_DONE, "\(String(cString: sqlite3_errmsg(handle))): \(fragment)")
        return rows
    }

    /// Returns the first column of every row as integers.
    func keys(_ fragment: SQLFragment) throws -> [Int64] {
        try rows(fragment).compactMap { if case .integer(let key) = $0[0] { key } else { nil } }
    }

    private func bind(_ value: SQLValue, _ index: Int32, _ statement: OpaquePointer?) {
        let transient = opencoredata_transient()
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .double(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): sqlite3_bind_text(statement, index, text, -1, transient)
        case .integers(let numbers): bind(.text(JSONArray.text(of: numbers)), index, statement)
        case .texts(let texts): bind(.text(JSONArray.text(of: texts)), index, statement)
        case .blob(let data):
            _ = data.withUnsafeBytes {
                sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }

    private func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .double(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
        case SQLITE_BLOB:
            .blob(
                Data(
                    bytes: sqlite3_column_blob(statement, column),
                    count: Int(sqlite3_column_bytes(statement, column))))
        default: .null
        }
    }
}
