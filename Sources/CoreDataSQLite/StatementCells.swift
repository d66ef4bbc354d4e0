import CSQLite
import CoreDataSQL
import CoreDataStore
import CoreDataValues
import Foundation

/// The cells of a statement's current row, in SQLite's memory.
struct StatementCells: CellSource {
    let handle: OpaquePointer
    let externalFiles: ExternalFiles

    /// Takes as long as a read.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func text(_ column: Int32) -> UnsafeRawBufferPointer {
        bytes(UnsafeRawPointer(sqlite3_column_text(handle, column)), column)
    }

    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        bytes(sqlite3_column_blob(handle, column), column)
    }

    /// Returns the bytes of a cell. The pointer is read first, since that may convert the value and change
    /// its size.
    private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func value(_ column: Int32) -> SQLValue { SQLValue(handle, column: column) }

    func uuid(_ column: Int32) -> UUID? {
        guard let start = sqlite3_column_blob(handle, column),
            sqlite3_column_bytes(handle, column) == MemoryLayout<uuid_t>.size
        else { return nil }
        return UUID(uuid: start.loadUnaligned(as: uuid_t.self))
    }

    func decimal(_ column: Int32) -> Decimal? {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: Decimal(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: Decimal(written: sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            sqlite3_column_text(handle, column).flatMap { Decimal(string: String(cString: $0)) }
        default: nil
        }
    }

    func setExternal(_ bytes: UnsafeRawBufferPointer, _ column: Int, of row: Snapshot) {
        switch ExternalFiles.Stored(bytes) {
        case .value(let value): row.setPacked(column, value)
        case .file(let name):
            do throws(ExternalFiles.Unreadable) {
                row.setData(column, try externalFiles.read(name))
            } catch {
                let path = externalFiles.path(name)
                row.setUnreadable(
                    column, UnreadableValue(error.reason, stored: Data(bytes), path: path))
            }
        case .unknown:
            row.setUnreadable(column, UnreadableValue(.unknownForm, stored: Data(bytes), path: nil))
        }
    }
}
