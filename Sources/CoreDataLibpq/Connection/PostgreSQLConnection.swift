import CLibpq
package import CoreDataSQL
import Foundation

/// A session with a PostgreSQL server.
///
/// One thread uses it at a time, which its pool or its owner ensures; only `cancel` may be called by another
/// one meanwhile. Therefore `@unchecked Sendable` is true.
package final class PostgreSQLConnection: @unchecked Sendable {
    package let options: ConnectionOptions
    /// The server's version, 150018 for 15.18.
    package let serverVersion: Int
    /// The number of the session's process on the server.
    package let processID: Int
    /// The number of round trips of this connection.
    package private(set) var trips = 0
    let handle: OpaquePointer
    private let cancellation: Cancellation
    private let redaction: Redaction
    @exclusivity(unchecked) var cache = PreparedStatements()
    /// The statement whose rows are arriving.
    weak var streaming: PostgreSQLStatement?
    private var isOpen = true
    /// The flag that is set if the server ends the session while no statement runs.
    private let hasServerEnded: UnsafeMutablePointer<Int32>
    /// Whether an error has shown that the session is over.
    var isBroken = false
    /// Whether the server has refused to write, as it does once it is a replica.
    package private(set) var hasRefusedToWrite = false

    package init(_ options: ConnectionOptions, role: ConnectionOptions.Role = .writer) throws(PostgreSQLError)
    {
        let settings = options.settings(for: role).sorted { $0.key < $1.key }
        let handle = Self.connect(settings.map(\.key), settings.map(\.value))
        var redaction = options.redaction
        // These may come from the environment, a service, or the password file.
        if let name = PQuser(handle) { redaction.add(name: String(cString: name)) }
        if let password = PQpass(handle) { redaction.add(secret: String(cString: password)) }
        guard let handle, PQstatus(handle) == CONNECTION_OK else {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? "out of memory"
            PQfinish(handle)
            throw Self.connectError(redaction.redacted(message), options)
        }
        self.options = options
        self.handle = handle
        self.redaction = redaction
        hasServerEnded = .allocate(capacity: 1)
        hasServerEnded.initialize(to: 0)
        serverVersion = Int(PQserverVersion(handle))
        processID = Int(PQbackendPID(handle))
        cancellation = Cancellation(of: handle)
        opencoredata_take_notices(handle, hasServerEnded)
        if let schema = options.schema {
            try forEachRow(
                of: "SELECT set_config('search_path', quote_ident(?), false)", ParameterList(schema)
            ) {
                _ in
            }
        }
    }

    deinit {
        close()
        hasServerEnded.deallocate()
    }

    private static func connect(_ names: [String], _ values: [String]) -> OpaquePointer? {
        // libpq takes two lists that end with null.
        let texts = (names + values).map { strdup($0) }
        defer { for text in texts { free(text) } }
        let pointers = texts.map { UnsafePointer($0) }
        return PQconnectdbParams(
            Array(pointers[..<names.count]) + [nil], Array(pointers[names.count...]) + [nil], 0)
    }

    /// Returns the error of a failed connection. Its kind follows from the words of the message, since libpq
    /// gives no SQLSTATE here.
    private static func connectError(_ message: String, _ options: ConnectionOptions) -> PostgreSQLError {
        let kind: PostgreSQLError.Kind =
            if ["session is read-only", "hot standby mode"].contains(where: message.contains) {
                .notPrimary
            } else if [
                "too many clients", "remaining connection slots", "too many connections", "is starting up",
                "is not yet accepting connections", "is in recovery mode",
            ].contains(where: message.contains) {
                .busy
            } else {
                .cannotConnect
            }
        return PostgreSQLError(kind: kind, message: "\(options): \(message)")
    }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        if let streaming {
            cancel()
            streaming.reset()
        }
        PQfinish(handle)
    }

    /// The options of further connections to the host that this one has found.
    package var place: ConnectionOptions {
        func text(_ bytes: UnsafePointer<CChar>?) -> String { bytes.map { String(cString: $0) } ?? "" }
        return options.at(
            host: text(PQhost(handle)), address: text(PQhostaddr(handle)), port: text(PQport(handle)))
    }

    /// Whether the connection can be used again.
    package var isUsable: Bool {
        isOpen && !isBroken && hasServerEnded.pointee == 0 && PQstatus(handle) == CONNECTION_OK
    }

    /// Returns whether the server is known to have ended the session. Makes no round trip.
    package func hasEnded() -> Bool {
        guard isUsable else { return true }
        guard PQtransactionStatus(handle) == PQTRANS_IDLE else { return false }
        // `PQisBusy` reads the messages that `PQconsumeInput` has received.
        guard PQconsumeInput(handle) == 1, PQisBusy(handle) == 0 else { return true }
        return !isUsable
    }

    /// Cancels the running statement, which then fails with `interrupted`. Other threads may call it.
    package func cancel() { cancellation.cancel() }

    // MARK: Statements

    /// Returns a statement, to bind parameters to and to step through.
    package func statement(_ sql: SQLText) -> PostgreSQLStatement {
        PostgreSQLStatement(sql, on: self)
    }

    /// Runs a statement and returns the number of rows that it wrote or returned.
    @discardableResult
    package func run(
        _ sql: SQLText, _ parameters: ParameterList = ParameterList()
    ) throws(PostgreSQLError) -> Int {
        let statement = statement(sql)
        statement.bind(parameters)
        while try statement.step() {}
        return statement.changedRowCount
    }

    /// Runs a statement and passes each row to a closure, as it arrives.
    package func forEachRow(
        of sql: SQLText, _ parameters: ParameterList = ParameterList(),
        _ body: (RowCells) throws(PostgreSQLError) -> Void
    ) throws(PostgreSQLError) {
        let statement = statement(sql)
        statement.bind(parameters)
        defer { statement.reset() }
        while try statement.step() { try body(statement.cells) }
    }

    /// Runs statements without parameters or results, and without preparing them.
    package func execute(_ sql: SQLText) throws(PostgreSQLError) {
        try beginTrip()
        var commit = CommitPoint(beganIdle: PQtransactionStatus(handle) == PQTRANS_IDLE)
        commit.pass(PipelineStep(sql))
        commit.end()
        defer { endTrip() }
        guard PQsendQuery(handle, sql.string) == 1 else {
            throw sendError(sql, outcome: commit.loss(answered: 0).mayCommit ? .unknown : .known)
        }
        var failure: PostgreSQLError?
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            if failure == nil { failure = self.failure(in: result, sql, commit.loss(answered: 0)) }
            guard PQstatus(handle) == CONNECTION_OK else { break }
        }
        if let failure { throw failure }
    }

    // MARK: Transactions

    package var isInTransaction: Bool {
        isUsable && [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle))
    }

    package func begin() throws(PostgreSQLError) { try execute("BEGIN") }
    package func commit() throws(PostgreSQLError) { try execute(PipelineStep.commit.sql) }

    /// Rolls the transaction back, if one is open. If that fails the session is over, and so is the
    /// transaction.
    package func rollback() {
        guard isInTransaction else { return }
        do throws(PostgreSQLError) {
            try execute("ROLLBACK")
        } catch {
            isBroken = true
        }
    }

    // MARK: Trips

    /// Prepares for sending. First receives the rows that another statement has yet to read.
    func beginTrip() throws(PostgreSQLError) {
        guard isUsable else {
            throw PostgreSQLError(
                kind: .connectionLost(outcome: .known), message: "the connection to \(options) is closed")
        }
        streaming?.keepRest()
        streaming = nil
        cancellation.begin()
        noteTrip()
    }

    func noteTrip() {
        trips += 1
        TripCounter.current?.note()
    }

    func endTrip() { cancellation.end() }

    /// Returns the error of a result; nil if the result is none.
    func failure(
        in result: OpaquePointer, _ sql: SQLText?, _ loss: @autoclosure () -> CommitPoint.Loss
    ) -> PostgreSQLError? {
        switch PQresultStatus(result) {
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: break
        default: return nil
        }
        func field(_ code: Character) -> String {
            PQresultErrorField(result, Int32(code.asciiValue!)).map { String(cString: $0) } ?? ""
        }
        // The severity, which is not translated.
        let isFatal = ["FATAL", "PANIC"].contains(field("V"))
        let isLost = isFatal || PQstatus(handle) != CONNECTION_OK
        // With these states the server itself ends the session, so it knows that it has not committed. A
        // pooler in front of it has other states.
        let isByServer = isFatal && ["57P01", "57P05", "25P03"].contains(field("C"))
        let wasEnded = isByServer || hasServerEnded.pointee != 0
        let error = PostgreSQLError(
            result, sql: sql?.string, loss: isLost ? loss().outcome(wasEnded: wasEnded) : nil,
            wasCancelled: cancellation.wasCancelled, redaction)
        if isLost { isBroken = true }
        if error.kind == .notPrimary { hasRefusedToWrite = true }
        return error
    }

    /// Returns the error of a function of libpq that could not send. The session ends here, so that the
    /// server does not commit what it has not been asked to commit.
    func sendError(_ sql: SQLText?, outcome: PostgreSQLError.Outcome) -> PostgreSQLError {
        isBroken = true
        return PostgreSQLError(
            kind: .connectionLost(outcome: outcome),
            message: redaction.redacted(String(cString: PQerrorMessage(handle))), sql: sql?.string)
    }
}
