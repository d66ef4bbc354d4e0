import CoreDataLibpq
import CoreDataSQL
import Foundation

/// A row that a transaction leaves in the database, with an identifier that no other transaction has.
///
/// If the connection is lost while the server is asked to commit, the row tells whether it did.
struct SaveMark: Sendable {
    private let id: UUID

    /// The mark of a transaction that was begun before.
    init(_ mark: CommitMark) { id = mark.id }

    /// The beginning of the identifier is the time, so that new rows lie together in the index.
    init() {
        let now = UInt64(max(0, Date().timeIntervalSince1970 * 1000))
        // `UUID()` would open and read a file.
        let words = (now << 16 | UInt64.random(in: 0..<1 << 16), UInt64.random(in: 0...UInt64.max))
        id = UUID(uuid: unsafeBitCast((words.0.bigEndian, words.1.bigEndian), to: uuid_t.self))
    }

    var name: CommitMark { CommitMark(id: id) }

    /// The statement that writes the row, a part of the transaction.
    var step: PipelineStep { PipelineStep("INSERT INTO Z_SAVES (MARK) VALUES (?)", ParameterList(id)) }

    /// Returns whether the transaction was committed. If it was not, it cannot be any more.
    ///
    /// Writes the row in the place of a transaction that did not, so that it would violate the primary key.
    /// If the transaction is still open, the server waits for its end.
    func isCommitted(on connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
        // The second statement sees the row that kept the first from writing its own.
        let outcome = try connection.run([
            .begin,
            PipelineStep(
                "INSERT INTO Z_SAVES (MARK, IS_VOID) VALUES (?, true) ON CONFLICT DO NOTHING",
                ParameterList(id)),
            PipelineStep("SELECT 1 FROM Z_SAVES WHERE MARK = ? AND NOT IS_VOID", ParameterList(id)),
            .commit,
        ])
        guard case .done(let results) = outcome else { return false }
        return results[2].rowCount > 0
    }

    // MARK: The table

    /// The statement that makes the table of marks, unless it is there.
    static let definition: SQLText = """
        CREATE TABLE IF NOT EXISTS Z_SAVES (MARK uuid PRIMARY KEY, \
        AT timestamptz NOT NULL DEFAULT clock_timestamp(), IS_VOID boolean NOT NULL DEFAULT false)
        """

    static let isMissing: SQLFragment = "SELECT 1 WHERE to_regclass('z_saves') IS NULL"

    /// Finds a row if the role of the session may make tables in the schema.
    static let mayBeMade: SQLFragment = "SELECT 1 WHERE has_schema_privilege(current_schema(), 'CREATE')"

    static let forbidden = SQLError(
        kind: .readOnly,
        message: """
            the store has no table z_saves for the marks of saves, and this role may not make it: grant it CREATE \
            on the schema, or have the owner open the store once, or set the option PostgreSQLSaveMarksKey to \
            false, or open the store read-only
            """, sql: nil)

    /// The longest time for which anything asks for a mark.
    static let lifetime = Duration.seconds(1800)

    /// The statement that deletes marks for which nothing asks any more.
    static let pruning: SQLText =
        "DELETE FROM Z_SAVES WHERE AT < clock_timestamp() - interval '1 hour'"
}
