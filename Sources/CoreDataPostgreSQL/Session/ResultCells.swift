import CoreDataLibpq
import CoreDataSQL
import CoreDataStore
import Foundation

/// The cells of a statement's current row, in libpq's memory.
struct ResultCells: CellSource {
    let row: RowCells
    /// The types of the columns.
    let types: [PostgreSQLType]

    func isNull(_ column: Int32) -> Bool { row.isNull(Int(column)) }

    func integer(_ column: Int32) -> Int64 { row.integer(Int(column)) }

    func double(_ column: Int32) -> Double { row.value(Int(column)) ?? 0 }

    func text(_ column: Int32) -> UnsafeRawBufferPointer { row.bytes(Int(column)) }

    func blob(_ column: Int32) -> UnsafeRawBufferPointer { row.bytes(Int(column)) }

    func decimal(_ column: Int32) -> Decimal? { row.value(Int(column)) }

    func uuid(_ column: Int32) -> UUID? { row.value(Int(column)) }

    func value(_ column: Int32) -> SQLValue { SQLValue(row, Int(column), as: types[Int(column)]) }

    /// Sets a large value, which is in its row as every other one.
    func setExternal(_ bytes: UnsafeRawBufferPointer, _ column: Int, of row: Snapshot) {
        row.setPacked(column, bytes)
    }
}
