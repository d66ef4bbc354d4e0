import CSQLite
import CoreDataSQL

/// The length of the write-ahead log after a connection's last commit.
final class LogWatch {
    fileprivate(set) var pages = 0
}

extension SQLiteConnection {
    /// The number of pages in the log that makes a checkpoint due. A low number makes every save slower, a
    /// high one every read.
    static let checkpointPages = 10_000

    /// Updates the length of the log by SQLite's WAL hook. SQLite's automatic checkpoint uses that hook, too,
    /// and must be off: setting the pragma `wal_autocheckpoint` would replace this hook.
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

    /// Whether the log is so long that a checkpoint is due.
    var isCheckpointDue: Bool { logWatch.pages >= Self.checkpointPages }

    /// Runs a passive checkpoint, which copies the pages that no reader still needs in the log. A failure is
    /// no error: the rest is due after the next commit.
    func checkpoint() {
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        logWatch.pages = 0
    }
}
