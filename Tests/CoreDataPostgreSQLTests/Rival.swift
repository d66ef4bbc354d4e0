import CoreDataLibpq
import CoreDataSQL
import Dispatch
import Foundation
import Synchronization

/// Another program, which writes to the tables of a store and commits while a writer waits for it.
struct Rival {
    private let connection: PostgreSQLConnection
    private let options: ConnectionOptions

    /// Runs statements in a transaction that is left open.
    init(_ url: URL, _ statements: SQLText...) throws {
        options = try ConnectionOptions(url.absoluteString)
        connection = try PostgreSQLConnection(options)
        try connection.begin()
        for statement in statements { try connection.execute(statement) }
    }

    /// Runs a writer on a thread of its own, and commits as soon as it waits for a lock. Returns whether it has
    /// waited.
    func meet(_ write: @escaping @Sendable () throws -> Void) throws -> Bool {
        let outcome = Outcome()
        Thread.detachNewThread { outcome.end(Result { try write() }) }
        let observer = try PostgreSQLConnection(options)
        defer { observer.close() }
        var hasWaited = false
        while !hasWaited, !outcome.hasEnded {
            hasWaited = try isAnyoneWaiting(observer)
            usleep(1000)
        }
        try connection.commit()
        try outcome.wait()
        return hasWaited
    }

    private func isAnyoneWaiting(_ observer: PostgreSQLConnection) throws -> Bool {
        var isWaiting = false
        try observer.forEachRow(
            of: """
                SELECT count(*) FROM pg_locks w WHERE NOT w.granted AND EXISTS \
                (SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
                WHERE l.pid = w.pid AND c.relnamespace = \
                (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))
                """, ParameterList()
        ) { row in isWaiting = row.integer(0) > 0 }
        return isWaiting
    }

    private final class Outcome: Sendable {
        private let result = Mutex<Result<Void, any Error>?>(nil)
        private let done = DispatchSemaphore(value: 0)

        func end(_ result: Result<Void, any Error>) {
            self.result.withLock { $0 = result }
            done.signal()
        }

        var hasEnded: Bool { result.withLock { $0 != nil } }

        func wait() throws {
            done.wait()
            try result.withLock { $0 }?.get()
        }
    }
}
