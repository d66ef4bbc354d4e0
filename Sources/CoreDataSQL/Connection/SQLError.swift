/// An error of a database.
///
/// Its kind comes from the code, never from the text.
package struct SQLError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        case busy
        case constraint
        case corrupt
        case notADatabase
        case readOnly
        case cannotOpen
        /// Another file or another store has taken the place of the store.
        case moved
        /// A file beside the database cannot be written.
        case cannotCreate
        case diskFull
        case interrupted
        /// The statement names a table or a column that is gone: another program has migrated the store.
        case undefined
        /// Transactions that wrote at the same time waited for each other, or must not both be committed: the
        /// same one may succeed when it is repeated.
        case serialization
        /// The connection was lost, and nothing of its transaction was committed.
        case connectionLost
        /// The connection was lost while the server was asked to commit: it may have done so.
        case outcomeUnknown
        /// A computed value is out of the range of its type, or its function is not defined there.
        case outOfRange
        /// A value that the database cannot store; the message names the property.
        case invalidValue
        case other
    }

    package let kind: Kind
    /// SQLite's extended result code; nil for errors of other databases, whose messages end with the SQLSTATE.
    package let code: Int?
    package let message: String
    /// The beginning of the statement, which may have thousands of terms.
    package let sql: String?
    /// The transaction whose outcome is unknown, if it can be found out later.
    package let mark: CommitMark?

    private static let longestQuote = 300

    package init(
        kind: Kind, code: Int? = nil, message: String, sql: SQLText?, mark: CommitMark? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.mark = mark
        self.sql = sql.map { sql in
            let beginning = sql.string.prefix(Self.longestQuote)
            return beginning.endIndex == sql.string.endIndex ? sql.string : "\(beginning)…"
        }
    }

    package var description: String {
        let text = code.map { "\(message) (\($0))" } ?? message
        return sql.map { "\(text) in: \($0)" } ?? text
    }
}
