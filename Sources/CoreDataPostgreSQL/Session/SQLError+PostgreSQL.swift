import CoreDataLibpq
import CoreDataSQL

extension SQLError {
    /// Makes the error of a database from that of the server, or of the way to it.
    init(_ error: PostgreSQLError, sql: SQLText? = nil) {
        let kind: Kind =
            switch error.kind {
            case .connectionLost(outcome: .known): .connectionLost
            case .connectionLost(outcome: .unknown): .outcomeUnknown
            case .cannotConnect, .invalidOptions: .cannotOpen
            case .notPrimary: .readOnly
            case .serialization, .deadlock: .serialization
            case .timeout, .busy, .poolExhausted: .busy
            case .unique, .constraint: .constraint
            case .interrupted: .interrupted
            case .diskFull: .diskFull
            case .staleStatement, .outOfRange, .invalidText, .divisionByZero, .other: .other
            }
        let state = error.state.map { "\(error.message) (\($0))" } ?? error.message
        self.init(kind: kind, code: 1, message: state, sql: sql)
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
