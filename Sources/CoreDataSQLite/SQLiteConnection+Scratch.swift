import CoreDataSQL
package import CoreDataStore

extension SQLiteConnection {
    /// A private database for what is of use during one piece of work: a file without a name, in SQLite's folder for
    /// temporary files, that is gone when the connection closes or the process dies. It holds a few megabytes in memory,
    /// however much is in it.
    package static func scratch() throws(StoreError) -> SQLiteConnection {
        do throws(SQLError) {
            let connection = try SQLiteConnection(path: "", access: .scratch)
            // One transaction that is never committed: nobody wants anything of it back.
            try connection.execute(
                "PRAGMA cache_size = -4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try connection.begin(.immediate)
            return connection
        } catch {
            throw StoreError(error, path: nil)
        }
    }
}
