import CSQLite
import CoreDataSQL
package import CoreDataStore
import Foundation

/// Stores that come to their end.
extension SQLiteStores {
    /// Empties the database, in one transaction, and removes the external files. The file stays, since others
    /// may have it open: they find an empty database from then on. Where nothing is, nothing is made.
    ///
    /// As on Apple's systems, a store with a write-ahead log leaves that and its index, empty, beside it:
    /// apps remove the three files.
    ///
    /// Two stores whose names differ by their extension alone have one folder for external files
    /// (sqlite-store §6): what is in it stays as long as one of them does.
    ///
    /// - Parameters:
    ///   - timeout: how many seconds to wait for others.
    ///   - isForced: whether the files are removed where others do not let go of the database, whatever
    ///     becomes of what they have open.
    package static func destroy(
        at path: String, timeout: Double = SQLiteStoreOptions().timeout, isForced: Bool = false
    ) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { return try removeFiles(of: path) }
        _ = try exists(at: path)
        try StoreFile.requireWritable(path)
        let files = try ExternalExchange(from: nil, to: path)
        try files.exchanging { () throws(StoreError) in
            do throws(StoreError) {
                try translated(path) { () throws(SQLError) in try empty(path, timeout) }
            } catch {
                switch error.kind {
                // Nobody can have it open.
                case .notADatabase, .corrupt: try removeFiles(of: path)
                case .busy where isForced: try removeFiles(of: path)
                default: throw error
                }
            }
        }
        ExternalFolder(ofStoreAt: path).removeIfEmpty()
    }

    private static func empty(_ path: String, _ timeout: Double) throws(SQLError) {
        let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
        defer { connection.close() }
        try connection.repeatedly(timeout) { () throws(SQLError) in
            // Reading it first keeps a database with a log one with a log (SQLITE_DBCONFIG_RESET_DATABASE).
            sqlite3_table_column_metadata(
                connection.database, nil, "sqlite_master", nil, nil, nil, nil, nil, nil)
            // Has the next VACUUM leave nothing in the database, whatever is in it.
            connection.set(SQLITE_DBCONFIG_RESET_DATABASE, to: true)
            defer { connection.set(SQLITE_DBCONFIG_RESET_DATABASE, to: false) }
            try connection.execute("VACUUM")
        }
        // The log stays, empty.
        try connection.execute("PRAGMA journal_size_limit = 0")
        var keepsLog: Int32 = 1
        sqlite3_file_control(connection.database, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    }

    /// Lets a file of another kind take the place of a database, which everybody has to have closed: waits
    /// for that.
    package static func giveWay(
        at path: String, timeout: Double = SQLiteStoreOptions().timeout,
        _ replace: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try ExternalExchange(from: nil, to: path).exchanging { () throws(StoreError) in
            let connection = try translated(path) { () throws(SQLError) in
                let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
                // Folds the log in and takes it away, which nobody else's connection may need.
                try connection.repeatedly(timeout) { () throws(SQLError) in
                    try connection.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
                }
                return connection
            }
            defer { connection.close() }
            try replace()
        }
        ExternalFolder(ofStoreAt: path).removeIfEmpty()
    }

    /// Removes external files of a store that is not there yet, or no more since a file of another kind has
    /// taken its place, where the process that was about it died. Where a database is, its rows tell which
    /// are left over.
    package static func removeExternalFiles(leftAt path: String) {
        guard PendingFiles.hasAbandoned(of: path), (try? isDatabase(at: path)) == false else { return }
        for note in PendingFiles.abandoned(of: path) {
            note.remove(note.names)
            ExternalFolder(ofStoreAt: path).removeIfEmpty()
        }
    }

    private static func removeFiles(of path: String) throws(StoreError) {
        for file in files(of: path).dropLast() where unlink(file) != 0 && errno != ENOENT {
            throw StoreError(system: errno, "the file cannot be removed", path: file)
        }
    }
}
