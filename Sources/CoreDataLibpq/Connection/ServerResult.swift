import CLibpq

/// A result of libpq, freed with its last reference.
final class ServerResult {
    let pointer: OpaquePointer
    /// The memory for the cells of one row.
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

    /// The number of rows that the statement wrote or returned.
    var changedRowCount: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The types of the columns.
    var columnTypes: [PostgreSQLType] { Self.columnTypes(of: pointer) }

    static func columnTypes(of result: OpaquePointer?) -> [PostgreSQLType] {
        (0..<PQnfields(result)).map { PostgreSQLType(rawValue: PQftype(result, $0)) }
    }

    /// Returns the cells of a row; they stay valid until another row is asked for.
    func cells(_ row: Int) -> RowCells {
        opencoredata_cells(pointer, Int32(row), Int32(cells.count), cells.baseAddress)
        return RowCells(cells.baseAddress!, count: cells.count)
    }
}
