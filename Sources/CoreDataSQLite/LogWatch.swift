import CSQLite
import CoreDataSQL

/// How long the write-ahead log of a connection's database is, as its last commit left it.
final class LogWatch {
    fileprivate(set) var pages = 0
}

extension SQLiteConnection {
    /// Pages in the log from which on they are to be copied into the database. A low number makes every save pay, a
    /// high one every read.
    static let checkpointPages = 10_000

    /// Keeps the length of the log up to date. SQLite's own automatic checkpoint, which uses the same hook, must be off; the
    /// pragma `wal_autocheckpoint` turns it on again and this off.
    func watchLog() {
        let address = Unmanaged.passUnretained(logWatch).toOpaque()
        _ = sqlite3_wal_hook(
            database,
            { address, _, _, pages in
                guard let address else { return SQLITE_OK }
                Unmanaged<LogWatch>.fromOpaque(address).takeUnretainedValue().pages = Int(pages)
                return SQLITE_OK
            }, address)
    }

    /// Whether the log has grown so long that it should be copied.
    var isCheckpointDue: Bool { logWatch.pages >= Self.checkpointPages }

    /// Copies as much of the log as no reader needs any more. Best effort: what remains is due at the next commit.
    func checkpoint() {
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        logWatch.pages = 0
    }
}
