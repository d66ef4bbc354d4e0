package import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The database of a server that is one process: one file, one writer, several readers.
package final class SQLiteDatabase: ServerDatabase {
    package let path: String
    private let writer: WriteQueue
    private let readers: ReaderPool

    /// Opens a database, and makes it if there is none.
    ///
    /// - Throws: `SQLError`, or `NewerDatabase` if a newer program has written it.
    package init(path: String, readers: Int = 4) throws {
        self.path = path
        try Self.prepare(path)
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.execute(Self.settings)
        writer = WriteQueue(connection)
        self.readers = ReaderPool(readers) { try SQLiteConnection(path: path, access: .readOnly) }
    }

    /// A transaction is on the disk before it is answered.
    private static let settings: SQLText = "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY"

    private static func prepare(_ path: String) throws {
        let connection = try SQLiteConnection(path: path, access: .create)
        defer { connection.close() }
        try connection.execute("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL")
        try connection.execute(settings)
        try connection.begin(.immediate)
        do {
            let version = try connection.count("PRAGMA user_version")
            guard version <= ServerSchema.version else { throw NewerDatabase(place: path, version: version) }
            if version == 0 {
                try connection.execute(ServerSchema.tables)
                try connection.execute("PRAGMA user_version = \(ServerSchema.version)")
            }
            try connection.commit()
        } catch {
            connection.rollback()
            throw error
        }
    }

    /// Runs `body` in a transaction and returns when that is durable. What it throws undoes its writes.
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await writer.run(body)
    }

    /// Runs `body` on one snapshot of the database.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await readers.run(body)
    }

    /// Writes a copy of the database as it is at one moment to a new file, while others read and write.
    package func copy(to path: String) throws {
        let connection = try SQLiteConnection(path: self.path, access: .readOnly)
        defer { connection.close() }
        try connection.execute("VACUUM INTO \(quoting: path)")
    }

    package func close() {
        readers.close()
        writer.close()
    }
}
