import CLibpq
package import CoreDataSQL

extension PostgreSQLConnection {
    /// Runs a query without parameters and passes each row to a closure, as a binary `COPY` sends it; returns the
    /// number of rows.
    ///
    /// libpq takes less than half of the time for such rows that it takes for those of a result, and no more
    /// memory with more rows. But the query is planned anew, and the types of its columns are not sent.
    ///
    /// - Parameter columnCount: The number of the query's columns.
    package func forEachCopiedRow(
        of query: SQLText, columnCount: Int, _ body: (RowCells) -> Void
    ) throws(PostgreSQLError) -> Int {
        try beginTrip()
        defer { endTrip() }
        let sql: SQLText = "COPY (\(query)) TO STDOUT (FORMAT binary)"
        guard PQsendQuery(handle, sql.string) == 1 else { throw sendError(sql, outcome: .known) }
        var count = 0
        var isComplete = false
        var failure: PostgreSQLError?
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_COPY_OUT {
                do throws(PostgreSQLError) {
                    count = try receiveRows(columnCount, body)
                } catch {
                    // The connection is of no more use, so the rest need not be received.
                    throw error
                }
            }
            let loss = CommitPoint.Loss(mayCommit: false, isCommitBegun: false)
            failure = failure ?? self.failure(in: result, query, loss)
            isComplete = isComplete || PQresultStatus(result) == PGRES_COMMAND_OK
            guard PQstatus(handle) == CONNECTION_OK else { break }
        }
        if let failure { throw failure }
        // If the connection is lost between two rows, no result may tell that.
        guard isComplete else { throw sendError(query, outcome: .known) }
        return count
    }

    private func receiveRows(_ columnCount: Int, _ body: (RowCells) -> Void) throws(PostgreSQLError) -> Int {
        let cells = UnsafeMutablePointer<opencoredata_cell>.allocate(capacity: columnCount)
        defer { cells.deallocate() }
        var count = 0
        var isFirst: Int32 = 1
        var bytes: UnsafeMutablePointer<CChar>?
        while true {
            let length = PQgetCopyData(handle, &bytes, 0)
            // The end, or an error that the next result tells.
            guard length > 0 else { return count }
            defer { PQfreemem(bytes) }
            switch opencoredata_copied_cells(bytes, length, isFirst, Int32(columnCount), cells) {
            case 1:
                body(RowCells(cells, count: columnCount))
                count += 1
            case 0: break
            default:
                isBroken = true
                throw PostgreSQLError(
                    kind: .connectionLost(outcome: .known), message: "the server sent a row of another form")
            }
            isFirst = 0
        }
    }
}
