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
                    // Nobody can have it open.
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
    ///
    /// - Throws: An error of kind `overtaken` if the database is not in its place any more.
    package static func giveWay(
        at path: String, timeout: Double = SQLiteStoreOptions().timeout,
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
        // Folds the log in and takes it away, which nobody else's connection may need.
        try connection.repeatedly(timeout) { () throws(SQLError) in
            try connection.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
        }
        try connection.requireInPlace()
        return connection
    }

    /// Removes external files of a store that is not there yet, or no more since a file of another kind has
    /// taken its place, where the process that was about it died. Where a database is, its rows tell which
    /// are left over.
    package static func removeExternalFiles(leftAt path: String) {
        // A database that is locked is one.
        guard PendingFiles.hasAbandoned(of: path), (try? isDatabase(at: path, timeout: 0)) == false else {
            return
        }
        let inWork = PendingFiles.namesInWork(of: path)
        for note in PendingFiles.abandoned(of: path) {
            note.remove(note.names, except: inWork)
            ExternalFolder(ofStoreAt: path).removeIfEmpty()
        }
    }
}
