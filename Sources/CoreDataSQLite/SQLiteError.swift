import CSQLite
import CoreDataSQL
import CoreDataStore
import Foundation

extension SQLError {
    /// Makes the error of a connection's last failure.
    ///
    /// - Parameter path: The path of the database; nil for the path of the connection.
    init(code: Int32, database: OpaquePointer?, path: String? = nil, sql: SQLText? = nil) {
        let reason = database.map(sqlite3_system_errno) ?? errno
        let extended = database.map(sqlite3_extended_errcode) ?? code
        let message =
            database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        let primary = code & 0xFF
        // SQLite reports a full disk only for plain writes; after other failures it often tries something
        // else.
        let path = path ?? database.flatMap { sqlite3_db_filename($0, "main") }.map { String(cString: $0) }
        let isFull =
            [SQLITE_IOERR, SQLITE_CANTOPEN].contains(primary)
            && ([ENOSPC, EDQUOT].contains(reason) || path.map { !FileSystem.hasRoom(beside: $0) } ?? false)
        if isFull {
            self.init(
                kind: .diskFull, code: Int(extended), message: "\(message): the disk is full", sql: sql)
        } else {
            let kind: Kind = Self.moved.code == Int(extended) ? .moved : Kind(sqlite: primary)
            self.init(kind: kind, code: Int(extended), message: message, sql: sql)
        }
    }

    /// The error of SQLite for a file that was replaced by another one.
    static let moved = SQLError(
        kind: .moved, code: Int(SQLITE_READONLY | 4 << 8),
        message: "another process has put another file in the place of the database", sql: nil)
}

extension SQLError.Kind {
    /// Makes the kind of a primary result code.
    init(sqlite code: Int32) {
        self =
            switch code {
            // SQLITE_PROTOCOL: other connections kept the log's index locked for as long as SQLite retries.
            case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_READONLY: .readOnly
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
            case SQLITE_FULL: .diskFull
            case SQLITE_INTERRUPT: .interrupted
            default: .other
            }
    }
}
