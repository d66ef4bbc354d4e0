import CLibpq

/// A result of libpq, freed with its last reference.
final class ServerResult {
    let pointer: OpaquePointer
    /// The room for the cells of the row that was asked for last.
    private let cells: UnsafeMutableBufferPointer<opencoredata_cell>

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        cells = .allocate(capacity: Int(PQnfields(pointer)))
    }

    deinit {
        cells.deallocate()
        PQclear(pointer)
    }

    var rowCount: Int { Int(PQntuples(pointer)) }

    /// The number of rows that the statement has written, or returned.
    var changedRowCount: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// Returns the cells of a row; they stay valid until another row is asked for.
    func cells(_ row: Int) -> RowCells {
        opencoredata_cells(pointer, Int32(row), Int32(cells.count), cells.baseAddress)
        return RowCells(cells.baseAddress!, count: cells.count)
    }
}
