package import CoreDataStore
package import Foundation

/// The cells of a statement's current row, as its driver has them.
///
/// The row decoder is specialized for each driver's source, so that reading a cell is no dynamic call.
package protocol CellSource {
    /// Returns whether a cell is null. The decoder asks only for cells that read as zero or empty.
    func isNull(_ column: Int32) -> Bool
    /// Returns a number; 0 for null.
    func integer(_ column: Int32) -> Int64
    /// Returns a number; 0 for null.
    func double(_ column: Int32) -> Double
    /// Returns the bytes of a text where they lie; without an address for null.
    func text(_ column: Int32) -> UnsafeRawBufferPointer
    /// Returns the bytes of a blob where they lie; without an address for null, and perhaps for an empty one.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer
    /// Returns a number with a fraction; nil for null.
    func decimal(_ column: Int32) -> Decimal?
    /// Returns an identifier; nil for null.
    func uuid(_ column: Int32) -> UUID?
    func value(_ column: Int32) -> SQLValue
    /// Sets a column of a row that may have its value in an external file.
    func setExternal(_ bytes: UnsafeRawBufferPointer, _ column: Int, of row: Snapshot)
}
