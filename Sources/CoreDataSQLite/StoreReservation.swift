import CSQLite
import CoreDataSQL
package import CoreDataStore
import Foundation

/// A lock on a store that keeps other writers out while a copy of it is made, which then replaces its
/// content.
///
/// Readers continue. A writer of another connection or process waits, and after its timeout gets the error
/// that the store is busy. A reservation writes nothing into the file, and ends with the process.
package final class StoreReservation: StoreReserving {
    let path: String
    let timeout: Double
    private let connection: SQLiteConnection
    /// A connection that notices a write between the reservation and the transaction that replaces the
    /// content; nil if there is no gap between them.
    private let witness: SQLiteConnection?
    private let version: Int64

    /// Waits for other writers and takes the lock. Throws if that takes longer than the timeout, or the store
    /// cannot be written to.
    package init(_ path: String, timeout: Double) throws(StoreError) {
        self.path = path
        self.timeout = timeout
        (connection, witness, version) = try SQLiteStores.translated(path) { () throws(SQLError) in
            let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
            try connection.execute("PRAGMA wal_autocheckpoint = 0")
            let isLogged = try Self.journalMode(connection) == "wal"
            // With a rollback journal, an exclusive locking mode keeps the lock from one transaction to the
            // next. With a write-ahead log it would keep readers out.
            if !isLogged { try connection.execute("PRAGMA locking_mode = EXCLUSIVE") }
            try connection.begin(.immediate)
            guard isLogged else { return (connection, nil, 0) }
            let witness = try SQLiteConnection(path: path, access: .readOnly, timeout: timeout)
            return (connection, witness, try witness.dataVersion())
        }
    }

    deinit { end() }

    /// Ends the reservation. Unless the content was replaced, the store has not changed.
    package func end() {
        connection.rollback()
        connection.close()
        witness?.close()
    }

    /// Returns whether the database has no tables.
    func isEmpty() throws(StoreError) -> Bool {
        try SQLiteStores.translated(path) { () throws(SQLError) in try connection.isEmpty() }
    }

    /// Copies another database over this one, page by page and in one transaction. Throws if another
    /// connection wrote between the reservation and that transaction.
    ///
    /// - Parameters:
    ///   - source: The database to copy.
    ///   - look: Called when no other connection can write any more.
    func replaceContents(
        with source: SQLiteConnection, _ look: () throws(SQLError) -> Void
    ) throws(StoreError) {
        do throws(SQLError) {
            // A backup begins its own transaction, which requires that none is open.
            try connection.commit()
            try connection.replaceContents(with: source, timeout) { () throws(SQLError) in
                guard try witness?.dataVersion() ?? 0 == version else { throw Self.overtaken }
                try look()
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static let overtaken = SQLError(
        kind: .moved, code: Int(SQLITE_ABORT),
        message: "another connection has written to the store while it was migrated: open it again", sql: nil)

    private static func journalMode(_ connection: SQLiteConnection) throws(SQLError) -> String {
        let statement = try connection.statement("PRAGMA journal_mode")
        defer { statement.reset() }
        guard try statement.step(), case .text(let mode) = statement.value(at: 0) else { return "" }
        return mode
    }
}

extension SQLiteConnection {
    /// Returns a number that changes with every commit of another connection.
    func dataVersion() throws(SQLError) -> Int64 {
        let statement = try statement("PRAGMA data_version")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : 0
    }

    /// Copies a database over this one, page by page and in one transaction.
    ///
    /// - Parameters:
    ///   - source: The database to copy.
    ///   - timeout: Seconds to wait for locks.
    ///   - check: Called when no other connection can write any more. If it throws, the database is not
    ///     changed.
    func replaceContents(
        with source: SQLiteConnection, _ timeout: Double, check: () throws(SQLError) -> Void
    ) throws(SQLError) {
        guard let backup = sqlite3_backup_init(database, "main", source.database, "main") else {
            throw SQLError(code: sqlite3_errcode(database), database: database)
        }
        do throws(SQLError) {
            // The first step copies no page but takes the lock.
            for (pages, isDone) in [(Int32(0), SQLITE_OK), (-1, SQLITE_DONE)] {
                try repeatedly(timeout) { () throws(SQLError) in
                    let code = sqlite3_backup_step(backup, pages)
                    guard code == isDone else { throw SQLError(code: code, database: nil, path: path) }
                }
                if pages == 0 {
                    try requireInPlace()
                    try check()
                }
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        let code = sqlite3_backup_finish(backup)
        guard code == SQLITE_OK else { throw SQLError(code: code, database: database) }
    }
}
