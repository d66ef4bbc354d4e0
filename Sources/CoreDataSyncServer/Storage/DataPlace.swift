import Foundation

/// Where a server's data is: a folder, and a database in it or in PostgreSQL.
package struct DataPlace: Sendable {
    package var folder: DataFolder
    /// The URL of a database in PostgreSQL; nil for SQLite in the folder.
    package var database: String?
    /// The greatest number of connections to PostgreSQL.
    package var connections: Int

    package init(folder: DataFolder, database: String? = nil, connections: Int = 8) {
        self.folder = folder
        self.database = database
        self.connections = connections
    }

    /// Opens the database, and makes it if it is not there.
    ///
    /// - Throws: `SQLError`, `NewerDatabase`, or `DataPlaceError`.
    package func open(readers: Int = 4) throws -> any ServerDatabase {
        guard let database else { return try SQLiteDatabase(path: folder.database, readers: readers) }
        #if PostgreSQL
        return try PostgreSQLDatabase(url: database, connections: connections)
        #else
        _ = database
        throw DataPlaceError("this program was built without the trait PostgreSQL")
        #endif
    }

    /// Takes the folder for this process, if its database is one process's at a time.
    package func lockForThisProcess() throws -> FolderLock? {
        if database == nil { return try folder.lockForThisProcess() }
        try folder.make()
        return nil
    }

    /// Returns the folder, for what is only done with a database in it.
    ///
    /// - Throws: `DataPlaceError` with the remedy if the database is in PostgreSQL.
    package func folderAlone(_ remedy: String) throws -> DataFolder {
        guard database == nil else { throw DataPlaceError("the database is in PostgreSQL: \(remedy)") }
        return folder
    }
}

/// What cannot be done where the data is.
package struct DataPlaceError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
