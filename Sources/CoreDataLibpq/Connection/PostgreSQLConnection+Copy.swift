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
            failure = failure ?? self.failure(in: result, query, .uncommitted)
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

    /// Writes rows into a table by a binary `COPY … FROM STDIN`, which takes the server half of the time of an INSERT.
    /// It works on rows while later ones are made. It writes all of them or, after an error, none. Takes two round
    /// trips, in the transaction that is open.
    ///
    /// - Parameters:
    ///   - types: The types of the columns, as the table has them.
    ///   - fill: Adds rows until the buffer is full or there are no more.
    /// - Returns: Whether the rows were written, and not abandoned.
    package func copyRows(
        by sql: SQLText, _ types: [PostgreSQLType], _ fill: (inout CopiedRows) -> CopiedRows.Progress
    ) throws(PostgreSQLError) -> Bool {
        try beginTrip()
        defer { endTrip() }
        guard PQsendQuery(handle, sql.string) == 1, let answer = PQgetResult(handle) else {
            throw sendError(sql, outcome: .known)
        }
        var failure = self.failure(in: answer, sql, .uncommitted)
        PQclear(answer)
        var isComplete = false
        if failure == nil {
            do throws(PostgreSQLError) {
                isComplete = try send(CopiedRows(types), fill)
            } catch {
                failure = error
            }
            if isUsable {
                // With a message the server takes none of the rows.
                try requireSent(PQputCopyEnd(handle, isComplete ? nil : "there are no more rows"), sql)
            }
            noteTrip()
        }
        while isUsable, let result = PQgetResult(handle) {
            defer { PQclear(result) }
            let error = self.failure(in: result, sql, .uncommitted)
            if isComplete { failure = failure ?? error }
        }
        if let failure { throw failure }
        // If the connection is lost between two rows, no result may tell that.
        guard isUsable else { throw sendError(sql, outcome: .known) }
        return isComplete
    }

    /// Sends rows; returns whether all were.
    private func send(
        _ rows: consuming CopiedRows, _ fill: (inout CopiedRows) -> CopiedRows.Progress
    ) throws(PostgreSQLError) -> Bool {
        while true {
            let progress = fill(&rows)
            if progress == .abandoned { return false }
            if progress == .complete { try rows.end() }
            try rows.take { bytes throws(PostgreSQLError) in
                let start = bytes.bindMemory(to: CChar.self).baseAddress
                try requireSent(PQputCopyData(handle, start, Int32(bytes.count)), nil)
            }
            if progress == .complete { return true }
        }
    }

    private func requireSent(_ code: Int32, _ sql: SQLText?) throws(PostgreSQLError) {
        if code != 1 { throw sendError(sql, outcome: .known) }
    }
}
