import CSQLite
import CoreDataSQL

extension SQLError {
    /// Makes the error of a connection's last failure.
    init(code: Int32, database: OpaquePointer?, sql: SQLText? = nil) {
        let extended = database.map(sqlite3_extended_errcode) ?? code
        let message =
            database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
        self.init(kind: Kind(sqlite: code & 0xFF), code: Int(extended), message: message, sql: sql)
    }
}

extension SQLError.Kind {
    /// Makes the kind of a primary result code.
    init(sqlite code: Int32) {
        self =
            switch code {
            // SQLITE_PROTOCOL: other connections kept the log's index locked for as long as SQLite tries.
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
