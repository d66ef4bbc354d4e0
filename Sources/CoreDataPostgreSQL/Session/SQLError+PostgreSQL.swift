import CoreDataLibpq
import CoreDataSQL

extension SQLError {
    /// Makes the error of a database from that of the server, or of the way to it.
    ///
    /// - Parameter mayCommit: Whether the statement may have ended a transaction that writes rows.
    init(_ error: PostgreSQLError, sql: SQLText? = nil, mayCommit: Bool = true) {
        let kind: Kind =
            switch error.kind {
            case .connectionLost(outcome: .unknown) where mayCommit: .outcomeUnknown
            case .connectionLost: .connectionLost
            case .cannotConnect, .invalidOptions: .cannotOpen
            case .notPrimary: .readOnly
            // A transaction whose prepared statement has become invalid has to begin again, too.
            case .serialization, .deadlock, .staleStatement: .serialization
            case .timeout, .busy, .poolExhausted: .busy
            case .unique, .constraint: .constraint
            case .undefined: .undefined
            case .interrupted: .interrupted
            case .diskFull: .diskFull
            case .outOfRange, .divisionByZero: .outOfRange
            case .invalidText: .invalidValue
            case .other: .other
            }
        let state = error.state.map { "\(error.message) (\($0))" } ?? error.message
        self.init(kind: kind, message: state, sql: sql)
    }
}

/// Runs a body, and throws the errors of the server as those of a database.
func translating<Result>(
    _ sql: SQLText? = nil, _ body: () throws(PostgreSQLError) -> Result
) throws(SQLError) -> Result {
    do throws(PostgreSQLError) {
        return try body()
    } catch {
        throw SQLError(error, sql: sql)
    }
}
