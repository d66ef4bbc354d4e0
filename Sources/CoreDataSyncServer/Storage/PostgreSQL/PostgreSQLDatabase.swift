#if PostgreSQL
import CoreDataLibpq
import CoreDataPostgreSQL
package import CoreDataSQL
import CoreDataStore
import Foundation
import Synchronization

/// The database of a server in PostgreSQL, which several processes share: none of them is more than the others.
///
/// Transactions see what others have committed, statement by statement. A push locks the row of its zone before
/// it reads anything in it, so pushes to one zone come one after the other, in the order of their numbers.
package final class PostgreSQLDatabase: ServerDatabase {
    /// The schema of the tables, unless the URL names one.
    private static let schema = "coredata_syncd"
    /// The seconds that a transaction waits for the lock of another one, unless said otherwise.
    package static let lockTimeout = 10.0
    /// How often a transaction begins again after another one was in its way, or its connection was lost.
    private static let attempts = 5

    private let options: ConnectionOptions
    private let pool: PostgreSQLPool
    private let writers: Turnstile
    private let readers: Turnstile

    /// Opens a database, and makes the tables if there are none.
    ///
    /// - Parameters:
    ///   - url: `postgresql://user:password@host:port/database`, with libpq's parameters and `schema`.
    ///   - connections: The greatest number of connections, without the one that listens.
    ///   - lockTimeout: The seconds that a transaction waits for the lock of another one.
    /// - Throws: `SQLError`, or `NewerDatabase` if a newer program has written it.
    package init(url: String, connections: Int = 8, lockTimeout: Double = lockTimeout) throws {
        let options = try Self.options(url)
        self.options = options
        var limits = PostgreSQLPool.Limits()
        limits.connections = max(2, connections)
        // Pushes that wait for a hot zone leave connections to those who read.
        writers = Turnstile(limits.connections - limits.connections / 4, label: "CoreDataSyncServer.Writers")
        readers = Turnstile(max(1, limits.connections / 4), label: "CoreDataSyncServer.Readers")
        pool = PostgreSQLPool(limits: limits) { () throws(PostgreSQLError) in
            try PostgreSQLConnection(options, lockTimeout: lockTimeout)
        }
        do {
            try using { try Self.prepare($0, options) }
        } catch {
            pool.close()
            throw error
        }
    }

    private static func options(_ url: String) throws -> ConnectionOptions {
        do throws(PostgreSQLError) {
            let options = try ConnectionOptions(url)
            if options.schema != nil { return options }
            return try ConnectionOptions(url + (url.contains("?") ? "&" : "?") + "schema=\(schema)")
        } catch {
            throw SQLError(error)
        }
    }

    private static func prepare(_ session: any SQLConnection, _ options: ConnectionOptions) throws {
        let schema = options.schema ?? Self.schema
        try session.begin(.immediate)
        _ = try session.findsRow("SELECT pg_advisory_xact_lock(\(bind: .integer(lockNumber)))")
        // Who may use a schema may not be allowed to make one.
        if try !session.findsRow("SELECT 1 FROM pg_namespace WHERE nspname = \(bind: .text(schema))") {
            try session.execute("CREATE SCHEMA \(SQLIdentifier(schema))")
        }
        let isThere = try session.findsRow(
            "SELECT 1 FROM pg_tables WHERE schemaname = \(bind: .text(schema)) AND tablename = 'format'")
        let version = isThere ? try session.count("SELECT version FROM format") : 0
        guard version <= ServerSchema.version else {
            throw NewerDatabase(place: options.description, version: version)
        }
        if version == 0 { try session.execute(ServerSchema.postgreSQLTables) }
        try session.commit()
    }

    /// The number of the lock for making tables, which has no other meaning.
    private static let lockNumber: Int64 = 0x7379_6E63_6400

    // MARK: Transactions

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await writers.pass { [self] in
            try repeating {
                try using { session in
                    try session.begin(.immediate)
                    let result = try body(session)
                    try session.commit()
                    return result
                }
            }
        }
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await readers.pass { [self] in
            try repeating {
                try using { session in
                    try session.begin(.deferred)
                    return try body(session)
                }
            }
        }
    }

    /// Runs a transaction again that has written nothing for a reason that passes.
    private func repeating<Result>(_ body: () throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as SQLError {
                guard [.serialization, .connectionLost].contains(error.kind), attempt < Self.attempts else {
                    throw error
                }
                Thread.sleep(forTimeInterval: 0.01 * Double(attempt))
                attempt += 1
            }
        }
    }

    /// Runs the body with a connection. A transaction that it leaves open is rolled back.
    private func using<Result>(_ body: (any SQLConnection) throws -> Result) throws -> Result {
        var outcome: Swift.Result<Result, any Error>?
        do throws(PostgreSQLError) {
            try pool.use { connection throws(PostgreSQLError) in
                outcome = Swift.Result { try body(Session(connection)) }
            }
        } catch {
            throw SQLError(error)
        }
        return try outcome!.get()
    }

    package func close() {
        writers.close()
        readers.close()
        pool.close()
    }

    // MARK: News

    package func share(_ pokes: PokeHub) {
        pool.listen(HeadWatch(pokes: pokes).listening(on: options.schema ?? Self.schema))
    }

    package func tellOthers() { pool.notify("") }
}
#endif
