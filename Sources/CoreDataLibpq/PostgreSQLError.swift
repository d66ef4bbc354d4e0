/// A failure of a PostgreSQL server, or of the connection to it.
///
/// No part of it has a password or the name of a user: `Redaction` has removed them from the message, and the
/// server's details, which quote values, are left out.
package struct PostgreSQLError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// The URL or one of its parameters is invalid.
        case invalidOptions
        case cannotConnect
        case connectionLost(outcome: Outcome)
        /// The server does not write: it is a replica, or has become one.
        case notPrimary
        case serialization
        case deadlock
        case unique(constraint: String?)
        /// Another constraint than a unique one.
        case constraint
        /// A prepared statement is gone, or its tables have changed. The connection has forgotten it, so that
        /// another run prepares it again.
        case staleStatement
        /// The statement names a table, a column or a sequence that the database does not have.
        case undefined
        /// The statement was cancelled by `PostgreSQLConnection.cancel`.
        case interrupted
        /// A time limit of the server ended the statement, or its wait for a lock.
        case timeout
        /// The server has no connection left.
        case busy
        /// All connections of the pool stayed in use for as long as it waits.
        case poolExhausted
        case diskFull
        case outOfRange
        /// A text has a character that the server does not store: NUL.
        case invalidText
        case divisionByZero
        case other
    }

    /// The outcome of a transaction whose connection was lost, as far as this side knows it.
    package enum Outcome: Sendable, Hashable {
        /// Nothing of it was committed.
        case known
        /// It may have been committed.
        case unknown
    }

    package let kind: Kind
    /// The server's five characters for the error (SQLSTATE); nil for an error that is not the server's.
    package let state: String?
    package let message: String
    /// The beginning of the statement.
    package let sql: String?

    private static let longestQuote = 300

    package init(kind: Kind, state: String? = nil, message: String, sql: String? = nil) {
        self.kind = kind
        self.state = state
        self.message = message
        self.sql = sql.map { sql in
            let beginning = sql.prefix(Self.longestQuote)
            return beginning.endIndex == sql.endIndex ? sql : "\(beginning)…"
        }
    }

    package var description: String {
        let code = state.map { " (\($0))" } ?? ""
        return sql.map { "\(message)\(code) in: \($0)" } ?? "\(message)\(code)"
    }
}
