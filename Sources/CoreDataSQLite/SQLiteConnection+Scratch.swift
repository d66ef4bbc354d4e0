import CoreDataSQL
package import CoreDataStore

extension SQLiteConnection {
    /// Opens a private database for one operation: a file without a name, in SQLite's folder for temporary
    /// files, that disappears when the connection is closed or the process dies. It takes a few megabytes of
    /// memory, whatever its size.
    package static func scratch() throws(StoreError) -> SQLiteConnection {
        do throws(SQLError) {
            let connection = try SQLiteConnection(path: "", access: .scratch)
            // One transaction that is never committed, since the content is not needed afterwards.
            try connection.execute(
                "PRAGMA cache_size = -4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.begin(.immediate)
            return connection
        } catch {
            throw StoreError(error, path: nil)
        }
    }
}
