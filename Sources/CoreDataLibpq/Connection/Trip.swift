import CLibpq
import CoreDataSQL

/// One round trip of a connection: statements that are sent together. The server does all of them or none,
/// except that a COMMIT among them keeps those before it. The trip also prepares statements that are new.
final class Trip {
    private enum Part {
        /// The deallocation of a statement that the cache has dropped.
        case dropping
        case preparing(PreparedStatement, SQLText)
        case running(PreparedStatement, SQLText)
        /// The end, where the server commits unless a transaction was begun.
        case sync
    }

    private let connection: PostgreSQLConnection
    /// The parts that have no answer yet. The next one to be answered is the last.
    private var parts: [Part]
    private let isStreaming: Bool
    /// Whether no result of the next part has come yet.
    private var isAtStart = true
    private let commit: CommitPoint
    let beganIdle: Bool
    /// The number of statements whose last result has come.
    private(set) var answered = 0
    /// The first error; the server has skipped all that follows.
    private(set) var failure: PostgreSQLError?

    /// Sends statements.
    ///
    /// - Parameter isStreaming: Whether rows are to arrive in several results, so that memory does not grow.
    init(_ steps: [PipelineStep], on connection: PostgreSQLConnection, isStreaming: Bool)
        throws(PostgreSQLError)
    {
        if let step = steps.first(where: { $0.parameters.count > ParameterList.limit }) {
            throw PostgreSQLError(
                kind: .outOfRange,
                message: "\(step.parameters.count) parameters are more than the protocol takes",
                sql: step.sql.string)
        }
        self.connection = connection
        self.isStreaming = isStreaming
        try connection.beginTrip()
        beganIdle = PQtransactionStatus(connection.handle) == PQTRANS_IDLE
        commit = CommitPoint(of: steps, beganIdle: beganIdle)
        parts = []
        do throws(PostgreSQLError) {
            try send(steps)
        } catch {
            connection.endTrip()
            throw error
        }
    }

    private func send(_ steps: [PipelineStep]) throws(PostgreSQLError) {
        guard PQenterPipelineMode(connection.handle) == 1 else {
            throw connection.sendError(nil, outcome: .known)
        }
        for name in connection.cache.takeDropped() {
            parts.append(.dropping)
            try require(
                PQsendQueryParams(connection.handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 0), nil,
                after: 0)
        }
        var new: Set<ObjectIdentifier> = []
        for (index, step) in steps.enumerated() {
            let statement = connection.cache.statement(step.sql, step.parameters.types)
            if !statement.isPrepared, new.insert(ObjectIdentifier(statement)).inserted {
                parts.append(.preparing(statement, step.sql))
                let types = step.parameters.types.map(\.rawValue)
                try require(
                    PQsendPrepare(
                        connection.handle, statement.name, statement.text, Int32(types.count), types),
                    step.sql, after: index)
            }
            parts.append(.running(statement, step.sql))
            let code = step.parameters.withPointers { count, values, lengths, formats in
                PQsendQueryPrepared(
                    connection.handle, statement.name, count, values, lengths, formats, ResultFormat.binary)
            }
            try require(code, step.sql, after: index)
        }
        parts.append(.sync)
        try require(PQpipelineSync(connection.handle), nil, after: steps.count)
        parts.reverse()
    }

    /// Throws if a message could not be sent.
    ///
    /// - Parameter count: The number of statements that precede the message.
    private func require(_ code: Int32, _ sql: SQLText?, after count: Int) throws(PostgreSQLError) {
        guard code != 1 else { return }
        let mayHaveCommitted = commit.loss(answered: count).isCommitBegun
        throw connection.sendError(sql, outcome: mayHaveCommitted ? .unknown : .known)
    }

    /// Waits for the next result of a statement; nil at the end of the trip, where `failure` may be set.
    ///
    /// The caller frees the result.
    func receive() -> OpaquePointer? {
        while let part = parts.last {
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
        parts.removeLast()
        isAtStart = true
        if PQstatus(connection.handle) != CONNECTION_OK { parts = [] }
        guard parts.isEmpty else { return }
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

    /// Whether the statements can be sent again after a stale one, since its error has undone no other
    /// statements.
    var canRepeat: Bool {
        failure?.kind == .staleStatement && beganIdle && !commit.loss(answered: answered).isCommitBegun
    }
}

/// The place in a list of statements at which they are committed.
enum CommitPoint {
    /// Nowhere: the transaction goes on.
    case never
    /// After this number of statements.
    case after(Int)

    init(of steps: [PipelineStep], beganIdle: Bool) {
        let last: Int? = beganIdle && !steps.contains(where: \.isBegin) ? steps.count : nil
        self = (steps.firstIndex(where: \.isCommit) ?? last).map(Self.after) ?? .never
    }

    /// The state of a transaction when its connection is lost, as far as this side knows it.
    struct Loss {
        let mayCommit: Bool
        let isCommitBegun: Bool

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
        switch self {
        case .never: Loss(mayCommit: false, isCommitBegun: false)
        case .after(let count): Loss(mayCommit: true, isCommitBegun: answered >= count)
        }
    }
}
