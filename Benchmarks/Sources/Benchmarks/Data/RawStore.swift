import Foundation
import RawLoops

/// A store opened by the loops in C.
final class RawStore {
    let pointer: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(_ path: String) throws {
        guard let store = raw_open(path) else { throw BenchmarkError("\(path) cannot be opened") }
        pointer = store
    }

    deinit {
        for statement in statements.values { raw_finalize(statement) }
        raw_close(pointer)
    }

    /// Returns a statement, which is prepared once for each text.
    private func statement(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        guard let statement = raw_prepare(pointer, sql) else { throw BenchmarkError("not prepared: \(sql)") }
        statements[sql] = statement
        return statement
    }

    /// Runs one statement without values in a transaction of its own.
    func run(_ sql: String) throws {
        guard raw_run(pointer, sql) else { throw BenchmarkError("a raw statement could not run: \(sql)") }
    }

    /// Runs a statement once for each row, or for each of the first `count` rows, in one transaction or in a
    /// transaction for each row.
    func write(_ sql: String, _ rows: RawRows, first count: Int? = nil, inTransactions: Bool = false) throws {
        let statement = try statement(sql)
        let write = inTransactions ? raw_write_each : raw_write
        guard write(statement, rows.start, rows.columns, count ?? rows.count) else {
            throw BenchmarkError("a raw loop could not write: \(sql)")
        }
    }

    /// Reads every column of the rows found, and returns the number of rows.
    @discardableResult
    func query(_ sql: String, _ values: RawRows = RawRows([[]])) throws -> Int {
        let rows = raw_query(try statement(sql), values.start, values.columns)
        guard rows >= 0 else { throw BenchmarkError("a raw query failed: \(sql)") }
        return Int(rows)
    }
}

/// Rows of values in the form that the loops in C take.
final class RawRows {
    enum Value {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob(Data)
    }

    let start: UnsafeMutablePointer<raw_cell>
    let count: Int
    let columns: Int

    init(_ rows: [[Value]]) {
        count = rows.count
        columns = rows.first?.count ?? 0
        start = .allocate(capacity: max(1, count * columns))
        for (index, value) in rows.joined().enumerated() { start[index] = Self.cell(value) }
    }

    deinit {
        for cell in UnsafeBufferPointer(start: start, count: count * columns) where cell.byte_count > 0 {
            free(UnsafeMutableRawPointer(mutating: cell.bytes))
        }
        start.deallocate()
    }

    /// Returns a value as a cell with SQLite's number for its type.
    private static func cell(_ value: Value) -> raw_cell {
        var cell = raw_cell()
        func copy(_ bytes: some Collection<UInt8>) {
            let copy = malloc(bytes.count + 1)!
            copy.copyBytes(from: bytes)
            cell.byte_count = Int32(bytes.count)
            cell.bytes = UnsafeRawPointer(copy)
        }
        switch value {
        case .null: cell.type = 5
        case .integer(let integer): (cell.type, cell.integer) = (1, integer)
        case .real(let real): (cell.type, cell.real) = (2, real)
        case .text(let text):
            cell.type = 3
            copy(text.utf8)
        case .blob(let data):
            cell.type = 4
            copy(data)
        }
        return cell
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyBytes(from bytes: some Collection<UInt8>) {
        for (offset, byte) in bytes.enumerated() {
            storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
    }
}
