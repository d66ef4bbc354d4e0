package import CoreDataLibpq
package import CoreDataSQL

extension SQLError {
    /// Makes the error of a database from that of the server, or of the way to it.
    ///
    /// - Parameter mayCommit: Whether the statement may have ended a transaction that writes rows.
    package init(_ error: PostgreSQLError, sql: SQLText? = nil, mayCommit: Bool = true) {
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
        let remedy = error.state.flatMap { Self.remedies[$0] }.map { "; \($0)" } ?? ""
        self.init(kind: kind, message: state + remedy, sql: sql)
    }

    /// Remedies for errors of which the server's message says too little, by their states.
    private static let remedies = [
        "2BP01": """
        drop first what others have made of the store's tables and views, and make it again afterwards; \
        views stay if they read no column that goes
        """
    ]
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
