import CLibpq
import CoreDataSQL

/// One round trip of a connection: statements that the server gets one after the other, and answers together. The
/// server does all of them or none, except that a COMMIT among them keeps those before it. The trip also prepares
/// statements that are new.
///
/// The server works on statements while later ones are made. A trip without statements does nothing.
package final class Trip {
    private enum Part {
        /// The deallocation of a statement that the cache has dropped.
        case dropping
        case preparing(PreparedStatement, SQLText)
        case running(PreparedStatement, SQLText)
        /// The end, where the server commits unless a transaction was begun.
        case sync
    }

    private let connection: PostgreSQLConnection
    private let isStreaming: Bool
    private var parts: [Part] = []
    /// The index of the first part that has no answer yet.
    private var next = 0
    /// Whether no result of the next part has come yet.
    private var isAtStart = true
    private var isBegun = false
    /// The statements that the trip prepares.
    private var preparing: Set<ObjectIdentifier> = []
    private var commit = CommitPoint(beganIdle: false)
    /// The conditions of the statements sent.
    private(set) var expectations: [PipelineStep.Expectation] = []
    /// The number of statements whose last result has come.
    private(set) var answered = 0
    /// The first error; the server has skipped all that follows.
    private(set) var failure: PostgreSQLError?

    /// - Parameter isStreaming: Whether rows are to arrive in several results, so that memory does not grow.
    init(on connection: PostgreSQLConnection, isStreaming: Bool) {
        self.connection = connection
        self.isStreaming = isStreaming
    }

    /// Sends the statements that a closure sends, and asks for their answers.
    ///
    /// - Parameter body: Sends the statements; returns false if none is to be done.
    /// - Returns: Whether the answers will come. The server does nothing if they will not, or if an error is thrown.
    func sendAll(
        _ body: (Trip) throws(PostgreSQLError) -> Bool
    ) throws(PostgreSQLError) -> Bool {
        do throws(PostgreSQLError) {
            if try body(self) {
                try end()
                return true
            }
        } catch {
            abandon()
            throw error
        }
        abandon()
        return false
    }

    private func begin() throws(PostgreSQLError) {
        try connection.beginTrip()
        commit = CommitPoint(beganIdle: PQtransactionStatus(connection.handle) == PQTRANS_IDLE)
        guard PQenterPipelineMode(connection.handle) == 1 else {
            connection.endTrip()
            throw connection.sendError(nil, outcome: .known)
        }
        isBegun = true
        for name in connection.cache.takeDropped() {
            parts.append(.dropping)
            try require(
                PQsendQueryParams(connection.handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 0), nil)
        }
    }

    /// Sends a statement, or puts it into the buffer.
    package func send(_ step: PipelineStep) throws(PostgreSQLError) {
        if step.parameters.count > ParameterList.limit {
            throw PostgreSQLError(
                kind: .outOfRange,
                message: "\(step.parameters.count) parameters are more than the protocol takes",
                sql: step.sql.string)
        }
        if !isBegun { try begin() }
        let statement = connection.cache.statement(step.sql, step.parameters.types)
        if !statement.isPrepared, preparing.insert(ObjectIdentifier(statement)).inserted {
            parts.append(.preparing(statement, step.sql))
            let types = step.parameters.types.map(\.rawValue)
            try require(
                PQsendPrepare(
                    connection.handle, statement.name, statement.text, Int32(types.count), types), step.sql)
        }
        parts.append(.running(statement, step.sql))
        let code = step.parameters.withPointers { count, values, lengths, formats in
            PQsendQueryPrepared(
                connection.handle, statement.name, count, values, lengths, formats, ResultFormat.binary)
        }
        try require(code, step.sql)
        commit.pass(step)
        expectations.append(step.expectation)
    }

    /// Sends what is in the buffer, and asks for the answers.
    private func end() throws(PostgreSQLError) {
        guard isBegun else { return }
        commit.end()
        parts.append(.sync)
        try require(PQpipelineSync(connection.handle), nil)
    }

    /// Ends the trip before all statements are sent. The server does none of them, unless it has committed.
    private func abandon() {
        guard isBegun else { return }
        if connection.isUsable {
            // Without it the end would commit the statements sent. It is an answer that nobody looks at.
            if commit.beganIdle {
                parts.append(.dropping)
                PQsendQueryParams(connection.handle, "ROLLBACK", 0, nil, nil, nil, nil, 0)
            }
            parts.append(.sync)
            if PQpipelineSync(connection.handle) == 1 { return finish() }
            connection.isBroken = true
        }
        connection.endTrip()
    }

    /// Throws if a message could not be sent.
    private func require(_ code: Int32, _ sql: SQLText?) throws(PostgreSQLError) {
        guard code != 1 else { return }
        let mayHaveCommitted = commit.loss(answered: expectations.count).isCommitBegun
        throw connection.sendError(sql, outcome: mayHaveCommitted ? .unknown : .known)
    }

    /// Waits for the next result of a statement; nil at the end of the trip, where `failure` may be set.
    ///
    /// The caller frees the result.
    func receive() -> OpaquePointer? {
        while next < parts.count {
            let part = parts[next]
            if isAtStart, isStreaming, case .running = part {
                _ = opencoredata_stream_rows(connection.handle)
            }
            isAtStart = false
            guard let result = PQgetResult(connection.handle) else {
                // An error of the commit precedes the answer to the sync, as a result of its own.
                if case .sync = part, PQstatus(connection.handle) == CONNECTION_OK { continue }
                endPart()
                continue
            }
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: endPart()
            case PGRES_PIPELINE_ABORTED: break
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: note(result, part)
            default:
                switch part {
                case .preparing(let statement, _): statement.isPrepared = true
                case .running:
                    if opencoredata_is_part(result) == 0 { answered += 1 }
                    return result
                case .dropping, .sync: break
                }
            }
            PQclear(result)
        }
        return nil
    }

    /// Waits for the end of the trip without looking at results.
    func finish() {
        while let result = receive() { PQclear(result) }
    }

    private func endPart() {
        next += 1
        isAtStart = true
        if PQstatus(connection.handle) != CONNECTION_OK { next = parts.count }
        guard next == parts.count else { return }
        PQexitPipelineMode(connection.handle)
        connection.endTrip()
    }

    private func note(_ result: OpaquePointer, _ part: Part) {
        let (statement, sql): (PreparedStatement?, SQLText?) =
            switch part {
            case .preparing(let statement, let sql), .running(let statement, let sql): (statement, sql)
            case .dropping, .sync: (nil, nil)
            }
        guard failure == nil,
            let error = connection.failure(in: result, sql, commit.loss(answered: answered))
        else { return }
        failure = error
        guard error.kind == .staleStatement else { return }
        // If the session does not have this statement, it was reset and has none of the others.
        if error.state == PostgreSQLError.unknownStatement {
            connection.cache.removeAll()
        } else if let statement {
            connection.cache.drop(statement)
        }
    }

    /// Whether no transaction was open before the statements.
    var beganIdle: Bool { commit.beganIdle }

    /// Whether the statements can be sent again after a stale one, since its error has undone no other
    /// statements.
    var canRepeat: Bool {
        failure?.kind == .staleStatement && commit.beganIdle && !commit.loss(answered: answered).isCommitBegun
    }
}

/// The place among the statements of a trip at which they are committed.
struct CommitPoint {
    /// Whether no transaction was open before the statements.
    let beganIdle: Bool
    private var hasBegin = false
    /// The number of statements so far.
    private var count = 0
    /// The number of statements before the commit; nil while there is none.
    private var place: Int?

    init(beganIdle: Bool) { self.beganIdle = beganIdle }

    mutating func pass(_ step: PipelineStep) {
        if step.isBegin { hasBegin = true }
        if step.isCommit, place == nil { place = count }
        count += 1
    }

    /// Notes that the server is asked for its answers: outside of a transaction it commits then.
    mutating func end() {
        if beganIdle, !hasBegin, place == nil { place = count }
    }

    /// The state of a transaction when its connection is lost, as far as this side knows it.
    struct Loss {
        let mayCommit: Bool
        let isCommitBegun: Bool

        /// The state of a transaction that is not to be committed yet.
        static let uncommitted = Loss(mayCommit: false, isCommitBegun: false)

        /// Returns whether the outcome of the transaction is known.
        ///
        /// - Parameter wasEnded: Whether the server itself has ended the session. Then all answers that it gave
        ///   before have arrived.
        func outcome(wasEnded: Bool) -> PostgreSQLError.Outcome {
            mayCommit && (isCommitBegun || !wasEnded) ? .unknown : .known
        }
    }

    /// Returns the state of the transaction if the connection is lost.
    ///
    /// - Parameter answered: The number of statements whose answers have come.
    func loss(answered: Int) -> Loss {
        guard let place else { return .uncommitted }
        return Loss(mayCommit: true, isCommitBegun: answered >= place)
    }
}
