import CoreDataSQL
import Synchronization

/// Connections that read, each for one reader at a time. A reader that finds none free waits in line.
final class ReaderPool: Sendable {
    private let turnstile: Turnstile
    private let make: @Sendable () throws -> any SQLConnection
    /// The connections that nobody uses; nil once the pool is closed.
    private let idle = Mutex<[any SQLConnection]?>([])

    init(_ most: Int, make: @escaping @Sendable () throws -> any SQLConnection) {
        turnstile = Turnstile(most, label: "CoreDataSyncServer.ReaderPool")
        self.make = make
    }

    /// Runs `body` on one snapshot of the database.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        try await turnstile.pass { [self] in
            let connection = try idle.withLock { $0?.popLast() } ?? make()
            defer { giveBack(connection) }
            try connection.begin(.deferred)
            defer { connection.rollback() }
            return try body(connection)
        }
    }

    private func giveBack(_ connection: any SQLConnection) {
        let isClosed = idle.withLock { idle in
            idle?.append(connection)
            return idle == nil
        }
        if isClosed { connection.close() }
    }

    func close() {
        turnstile.close()
        let connections = idle.withLock { idle in
            defer { idle = nil }
            return idle ?? []
        }
        for connection in connections { connection.close() }
    }
}
