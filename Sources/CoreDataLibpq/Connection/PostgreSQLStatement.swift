import CLibpq
package import CoreDataSQL

/// A statement of one connection, whose rows are read as they arrive.
package final class PostgreSQLStatement {
    package let sql: SQLText
    /// The number of rows that the last run wrote or returned; known at its end.
    package private(set) var changedRowCount = 0
    private let connection: PostgreSQLConnection
    private var parameters = ParameterList()
    /// The run under way.
    private var trip: Trip?
    /// Whether the last run failed because the statement was stale, so that another one may succeed.
    private var mayRepeat = false
    /// The results that were received early, because another statement was begun. The next one is the last.
    private var kept: [OpaquePointer] = []
    /// The result that has the present row, and the row's number there.
    private var part: OpaquePointer?
    private var row: Int32 = -1
    private var table = UnsafeMutableBufferPointer<opencoredata_cell>.allocate(capacity: 0)

    init(_ sql: SQLText, on connection: PostgreSQLConnection) {
        self.sql = sql
        self.connection = connection
    }

    deinit {
        reset()
        PQclear(part)
        table.deallocate()
    }

    /// Ends the run under way, and sets the parameters of the next.
    package func bind(_ parameters: ParameterList) {
        reset()
        self.parameters = parameters
    }

    /// Moves to the next row. Returns false at the end, after which a step begins another run.
    package func step() throws(PostgreSQLError) -> Bool {
        do throws(PostgreSQLError) {
            return try stepOnce()
        } catch {
            guard mayRepeat else { throw error }
            // The statement was stale, and the second run prepares it again.
            return try stepOnce()
        }
    }

    private func stepOnce() throws(PostgreSQLError) -> Bool {
        let trip = if let underway = self.trip { underway } else { try start() }
        while true {
            row += 1
            if row < PQntuples(part) {
                opencoredata_cells(part, row, Int32(table.count), table.baseAddress)
                return true
            }
            guard let result = kept.popLast() ?? trip.receive() else { break }
            hold(result)
        }
        self.trip = nil
        mayRepeat = trip.canRepeat
        if let failure = trip.failure { throw failure }
        if parameters.count == 0, changedRowCount >= Self.manyRows {
            connection.cache.statement(sql, []).copiedTypes = columnTypes
        }
        return false
    }

    // MARK: Copying

    /// The number of rows from which on copying them is faster than planning the query takes.
    private static let manyRows = 2000

    /// The types of the columns, if the rows of the next run are better copied than stepped through: if the last
    /// run on the connection had many.
    package var copiedTypes: [PostgreSQLType]? {
        parameters.count == 0 && trip == nil ? connection.cache.statement(sql, []).copiedTypes : nil
    }

    /// Runs the statement, and passes each row to a closure.
    package func copyRows(
        _ types: [PostgreSQLType], _ body: (RowCells) -> Void
    ) throws(PostgreSQLError) {
        let count = try connection.forEachCopiedRow(of: sql, columnCount: types.count, body)
        changedRowCount = count
        if count < Self.manyRows { connection.cache.statement(sql, []).copiedTypes = nil }
    }

    private func start() throws(PostgreSQLError) -> Trip {
        (changedRowCount, mayRepeat) = (0, false)
        hold(nil)
        let trip = Trip(on: connection, isStreaming: true)
        let step = PipelineStep(sql, parameters)
        _ = try trip.sendAll { trip throws(PostgreSQLError) in
            try trip.send(step)
            return true
        }
        connection.streaming = self
        self.trip = trip
        return trip
    }

    private func hold(_ result: OpaquePointer?) {
        PQclear(part)
        (part, row) = (result, -1)
        let count = Int(PQnfields(result))
        if table.count != count {
            table.deallocate()
            table = .allocate(capacity: count)
        }
        if let result, opencoredata_is_part(result) == 0 {
            changedRowCount = Int(String(cString: PQcmdTuples(result))) ?? 0
        }
    }

    /// The cells of the present row, until the next step.
    package var cells: RowCells { RowCells(table.baseAddress!, count: table.count) }

    /// The types of the columns; known from the first step on.
    package var columnTypes: [PostgreSQLType] { ServerResult.columnTypes(of: part) }

    /// Ends the run. Rows that are still to come are received and dropped.
    package func reset() {
        trip?.finish()
        trip = nil
        for result in kept { PQclear(result) }
        kept = []
    }

    /// Receives the rows that are still to come, so that the connection can run another statement.
    func keepRest() {
        guard let trip else { return }
        var rest: [OpaquePointer] = []
        while let result = trip.receive() { rest.append(result) }
        kept = rest.reversed() + kept
    }
}
