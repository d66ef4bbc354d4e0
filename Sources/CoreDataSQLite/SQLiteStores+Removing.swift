import CSQLite
import CoreDataSQL
package import CoreDataStore
import Foundation

// The destruction of stores and of the files that they leave.
extension SQLiteStores {
    /// Empties the database in one transaction, and removes the external files. The file stays, since other
    /// connections may have it open; they find an empty database from then on. If there is no file, none is
    /// made.
    ///
    /// As on Apple's systems, a store with a write-ahead log leaves the log and its index beside it, both
    /// empty. Apps remove the three files.
    ///
    /// Two stores whose names differ only by their extension share one folder for external files
    /// (sqlite-store §6). Its content stays as long as one of them exists.
    ///
    /// - Parameters:
    ///   - path: The path of the store.
    ///   - timeout: Seconds to wait for other connections.
    ///   - isForced: Whether the files are removed if other connections do not release the database in time,
    ///     which damages the work of these connections.
    package static func destroy(
        at path: String, timeout: Double = DatabaseOptions().timeout, isForced: Bool = false
    ) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path), try exists(at: path) else {
            _ = try removeFiles(of: path, timeout) { $0 == nil }
            return
        }
        try StoreFile.requireWritable(path)
        try ExternalExchange(from: nil, to: path).exchanging { () throws(StoreError) in
            try FileLock.retrying(path, timeout: timeout) { found throws(StoreError) in
                guard found != nil else { return true }
                do throws(StoreError) {
                    try translated(path) { () throws(SQLError) in try empty(path, timeout) }
                    return true
                } catch {
                    switch error.kind {
                    // No connection can have this file open.
                    case .notADatabase, .corrupt: return try removeFiles(of: path, timeout) { $0 == found }
                    case .busy where isForced: return try removeFiles(of: path, timeout) { _ in true }
                    case .cannotOpen where FileStamp(path: path) == nil: return true
                    default: throw error
                    }
                }
            }
        }
        ExternalFolder(ofStoreAt: path).removeIfEmpty()
    }

    private static func removeFiles(
        of path: String, _ timeout: Double, if condition: (FileStamp?) -> Bool
    ) throws(StoreError) -> Bool {
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try FileLock.remove(place, with: logs(of: place), timeout: timeout, if: condition)
    }

    private static func empty(_ path: String, _ timeout: Double) throws(SQLError) {
        let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
        defer { connection.close() }
        try connection.repeatedly(timeout) { () throws(SQLError) in
            // The database is read first, so that a database with a log keeps its log
            // (SQLITE_DBCONFIG_RESET_DATABASE).
            sqlite3_table_column_metadata(
                connection.database, nil, "sqlite_master", nil, nil, nil, nil, nil, nil)
            // The setting makes the next VACUUM empty the database, even a damaged one.
            connection.set(SQLITE_DBCONFIG_RESET_DATABASE, to: true)
            defer { connection.set(SQLITE_DBCONFIG_RESET_DATABASE, to: false) }
            try connection.execute("VACUUM")
        }
        // The log stays as an empty file.
        try connection.execute("PRAGMA journal_size_limit = 0")
        var keepsLog: Int32 = 1
        sqlite3_file_control(connection.database, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
    }

    /// Has a database replaced by a file of another kind. Waits until no other connection has the database
    /// open.
    ///
    /// - Throws: An error of kind `overtaken` if the database is no longer in its place.
    package static func giveWay(
        at path: String, timeout: Double = DatabaseOptions().timeout,
        _ replace: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try ExternalExchange(from: nil, to: path).exchanging { () throws(StoreError) in
            let connection = try inPlace(path) { () throws(StoreError) in
                try translated(path) { () throws(SQLError) in try openAlone(path, timeout) }
            }
            defer { connection.close() }
            try replace()
        }
        ExternalFolder(ofStoreAt: path).removeIfEmpty()
    }

    private static func openAlone(_ path: String, _ timeout: Double) throws(SQLError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: .readWrite, timeout: timeout)
        // Copies the log into the database and removes the log, which fails while another connection is open.
        try connection.repeatedly(timeout) { () throws(SQLError) in
            try connection.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
        }
        try connection.requireInPlace()
        return connection
    }

    /// Removes the external files of a store that does not exist, and their empty folder, if they were left by
    /// a process that died while it made or replaced the store. If there is a database, its rows show which
    /// files are left over.
    package static func removeExternalFiles(leftAt path: String) {
        // Without notes there can be an empty folder only. A locked database counts as a database.
        guard
            PendingFiles.hasAbandoned(of: path)
                ? (try? isDatabase(at: path, timeout: 0)) == false : (try? exists(at: path)) == false
        else { return }
        let inWork = PendingFiles.namesInWork(of: path)
        for note in PendingFiles.abandoned(of: path) { note.remove(note.names, except: inWork) }
        ExternalFolder(ofStoreAt: path).removeIfEmpty()
    }
}
