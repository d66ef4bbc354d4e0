import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import CoreDataLibpq

@Suite("Pool of connections to PostgreSQL", .needsServer)
struct PoolTests {
    private func pool(
        _ count: Int, warm: Int = 2, patience: Duration = .seconds(60)
    ) throws -> PostgreSQLPool {
        var limits = PostgreSQLPool.Limits()
        (limits.connections, limits.warm, limits.patience) = (count, warm, patience)
        return PostgreSQLPool(try Database.options(), limits: limits)
    }

    private func processID(of pool: PostgreSQLPool) throws -> Int {
        try pool.use { connection throws(PostgreSQLError) in connection.processID }
    }

    @Test("A connection is used again, and another one opens only while all are in use")
    func reuse() throws {
        let pool = try pool(3)
        defer { pool.close() }
        let first = try processID(of: pool)
        #expect(try processID(of: pool) == first)
        #expect(pool.counts.open == 1)
        try pool.use { connection throws(PostgreSQLError) in
            #expect(connection.processID == first)
            try pool.use { other throws(PostgreSQLError) in #expect(other.processID != first) }
        }
        #expect(pool.counts.open == 2)
    }

    @Test("A use that finds no connection in time throws that the pool is exhausted")
    func exhausted() throws {
        let pool = try pool(1, patience: .zero)
        defer { pool.close() }
        try pool.use { _ throws(PostgreSQLError) in
            let error = #expect(throws: PostgreSQLError.self) { try processID(of: pool) }
            #expect(error?.kind == .poolExhausted)
            #expect(error?.message.contains("pool exhausted") == true)
        }
        _ = try processID(of: pool)
        #expect(pool.counts == (1, 0))
    }

    /// Begins a use on a thread of its own that has to wait; returns a function that waits for its end.
    ///
    /// - Parameter body: Is called with the connection's process while it is in use, or with the error.
    private func waitingUse(
        of pool: PostgreSQLPool, _ body: @escaping @Sendable (Result<Int, PostgreSQLError>) -> Void
    ) -> () -> Void {
        let before = pool.counts.waiting
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do throws(PostgreSQLError) {
                try pool.use { connection throws(PostgreSQLError) in body(.success(connection.processID)) }
            } catch {
                body(.failure(error))
            }
            ended.signal()
        }
        while pool.counts.waiting == before {}
        return { ended.wait() }
    }

    @Test("Uses that wait get the connection in the order in which they came")
    func order() throws {
        let pool = try pool(1)
        defer { pool.close() }
        let order = Mutex<[Int]>([])
        var ends: [() -> Void] = []
        try pool.use { _ throws(PostgreSQLError) in
            for number in 1...3 {
                ends.append(waitingUse(of: pool) { _ in order.withLock { $0.append(number) } })
            }
        }
        for end in ends { end() }
        #expect(order.withLock { $0 } == [1, 2, 3])
        #expect(pool.counts.open == 1)
    }

    @Test("A connection that was lost is replaced, also for a use that waits")
    func lost() throws {
        let pool = try pool(1)
        defer { pool.close() }
        let admin = try Database.connect()
        func kill(_ id: Int) throws {
            _ = try admin.value("SELECT pg_terminate_backend(?)", Int32(id), as: Bool.self)
            let count: SQLText = "SELECT count(*) FROM pg_stat_activity WHERE pid = ?"
            while try admin.value(count, Int32(id), as: Int64.self) != 0 {}
        }
        let first = try processID(of: pool)
        try kill(first)
        let second = try processID(of: pool)
        #expect(second != first)
        let third = Mutex<Int?>(nil)
        var end: (() -> Void)?
        #expect(throws: PostgreSQLError.self) {
            try pool.use { connection throws(PostgreSQLError) in
                end = waitingUse(of: pool) { result in third.withLock { $0 = try? result.get() } }
                try? kill(second)
                try connection.run("SELECT 1")
            }
        }
        end?()
        #expect(third.withLock { $0 } != nil)
        #expect(third.withLock { $0 } != second)
        #expect(pool.counts == (1, 0))
    }

    @Test("A server that cannot be reached does not use up the pool")
    func unreachable() throws {
        var limits = PostgreSQLPool.Limits()
        (limits.connections, limits.patience) = (1, .zero)
        let pool = PostgreSQLPool(try ConnectionOptions("postgresql://127.0.0.1:1/db"), limits: limits)
        for _ in 0..<3 { #expect(kind { _ = try processID(of: pool) } == .cannotConnect) }
        #expect(pool.counts.open == 0)
        pool.close()
    }

    @Test("A transaction that a use leaves open is rolled back")
    func openTransaction() throws {
        let pool = try pool(1)
        defer { pool.close() }
        try pool.use { connection throws(PostgreSQLError) in
            try connection.execute("CREATE TEMP TABLE t (n int8)")
            try connection.begin()
            try connection.run("INSERT INTO t VALUES (1)")
        }
        let count = try pool.use { connection throws(PostgreSQLError) in
            #expect(!connection.isInTransaction)
            return try connection.run("SELECT * FROM t")
        }
        #expect(count == 0)
    }

    @Test("A connection whose server has become a replica is not used again")
    func replica() throws {
        let pool = try pool(1)
        defer { pool.close() }
        let first = try processID(of: pool)
        #expect(
            kind {
                try pool.use { connection throws(PostgreSQLError) in
                    try connection.execute("SET default_transaction_read_only = on")
                    try connection.run("CREATE TABLE z_never (k int8)")
                }
            } == .notPrimary)
        #expect(try processID(of: pool) != first)
    }

    @Test("Connections that are not used for long are closed, but for those that are kept warm")
    func trimming() throws {
        let pool = try pool(4, warm: 1)
        defer { pool.close() }
        try pool.warmUp()
        #expect(pool.counts.open == 1)
        let warm = try processID(of: pool)
        try pool.use { _ throws(PostgreSQLError) in
            try pool.use { _ throws(PostgreSQLError) in try pool.use { _ throws(PostgreSQLError) in } }
        }
        #expect(pool.counts.open == 3)
        pool.trim(at: .now)
        #expect(pool.counts.open == 3)
        pool.trim(at: .now.advanced(by: .seconds(61)))
        #expect(pool.counts.open == 1)
        #expect(try processID(of: pool) == warm)
    }

    @Test("Closing waits for the uses under way and fails those that wait")
    func closing() throws {
        let pool = try pool(1)
        let failure = Mutex<PostgreSQLError.Kind?>(nil)
        let closed = DispatchSemaphore(value: 0)
        var end: (() -> Void)?
        try pool.use { connection throws(PostgreSQLError) in
            end = waitingUse(of: pool) { result in
                failure.withLock { failure in failure = kind { _ = try result.get() } }
            }
            Thread.detachNewThread {
                pool.close()
                closed.signal()
            }
            end?()
            try connection.run("SELECT 1")
        }
        closed.wait()
        #expect(failure.withLock { $0 } == .cannotConnect)
        #expect(kind { _ = try processID(of: pool) } == .cannotConnect)
        #expect(pool.counts.open == 0)
    }

    // MARK: Listening

    /// The events of a listener, which a test waits for one by one.
    private final class Events: Sendable {
        private let list = Mutex<[Listening.Event]>([])
        private let arrived = DispatchSemaphore(value: 0)

        func note(_ event: Listening.Event) {
            list.withLock { $0.append(event) }
            arrived.signal()
        }

        func next() -> Listening.Event? {
            guard arrived.wait(timeout: .now() + 60) == .success else { return nil }
            return list.withLock { $0.removeFirst() }
        }
    }

    private func channel() -> SQLIdentifier {
        SQLIdentifier("z_channel_\(UUID().uuidString.lowercased().replacing("-", with: ""))")
    }

    @Test("A listener hears the notifications of every session, its own pool's included")
    func notifications() throws {
        let pool = try pool(1)
        defer { pool.close() }
        let (events, channel) = (Events(), channel())
        pool.listen(
            Listening(channel: channel, every: .seconds(3600), poll: { _ in false }, handler: events.note))
        pool.notify("first")
        #expect(events.next() == .notified("first"))
        let other = try Database.connect()
        _ = try other.run("SELECT pg_notify(?, 'second')", ParameterList(channel.name))
        #expect(events.next() == .notified("second"))
        #expect(pool.counts.open == 0)
    }

    @Test("Notifications that arrive together are heard in the order in which they were sent")
    func notificationOrder() throws {
        let pool = try pool(1)
        defer { pool.close() }
        let (events, channel) = (Events(), channel())
        pool.listen(
            Listening(channel: channel, every: .seconds(3600), poll: { _ in false }, handler: events.note))
        pool.notify("ready")
        #expect(events.next() == .notified("ready"))
        let other = try Database.connect()
        _ = try other.run(
            "SELECT pg_notify(?, CAST(n AS text)) FROM generate_series(1, 9) AS n",
            ParameterList(channel.name))
        for number in 1...9 { #expect(events.next() == .notified("\(number)")) }
    }

    @Test("Equal notifications that wait for each other are sent as one, at the latest when the pool closes")
    func gathering() throws {
        let (events, channel) = (Events(), channel())
        let receiver = try pool(1)
        defer { receiver.close() }
        receiver.listen(
            Listening(channel: channel, every: .seconds(3600), poll: { _ in false }, handler: events.note))
        receiver.notify("ready")
        #expect(events.next() == .notified("ready"))
        let sender = try pool(1)
        let connected = Events()
        sender.listen(
            Listening(
                channel: channel, every: .seconds(3600), gathering: .seconds(3600), poll: { _ in true },
                handler: connected.note))
        #expect(connected.next() == .changed)
        for _ in 0..<1000 { sender.notify("many") }
        sender.close()
        receiver.notify("end")
        #expect(events.next() == .notified("many"))
        #expect(events.next() == .notified("end"))
    }

    @Test("The handler of a listener may wait for the thread that closes the pool")
    func closingDuringHandler() throws {
        let pool = try pool(1)
        let (entered, closed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = Mutex<DispatchTimeoutResult?>(nil)
        let ended = DispatchSemaphore(value: 0)
        pool.listen(
            Listening(channel: channel(), every: .seconds(3600), poll: { _ in true }) { _ in
                entered.signal()
                let result = closed.wait(timeout: .now() + 60)
                outcome.withLock { $0 = result }
                ended.signal()
            })
        #expect(entered.wait(timeout: .now() + 60) == .success)
        pool.close()
        closed.signal()
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(outcome.withLock { $0 } == .success)
    }

    @Test("A poll finds a change without a notification")
    func polling() throws {
        let pool = try pool(1)
        defer { pool.close() }
        let events = Events()
        let polls = Atomic<Int>(0)
        pool.listen(
            Listening(
                channel: channel(), every: .milliseconds(1),
                poll: { _ in polls.add(1, ordering: .relaxed).newValue == 3 }, handler: events.note))
        #expect(events.next() == .changed)
        #expect(polls.load(ordering: .relaxed) >= 3)
    }

    @Test("A listener that loses its connection connects again, and says that something may have changed")
    func reconnection() throws {
        let (events, channel) = (Events(), channel())
        let pool = PostgreSQLPool(try Database.options("application_name=\(channel.name)"))
        defer { pool.close() }
        pool.listen(
            Listening(channel: channel, every: .seconds(3600), poll: { _ in false }, handler: events.note))
        pool.notify("first")
        #expect(events.next() == .notified("first"))
        let admin = try Database.connect()
        let found = try admin.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?",
            ParameterList(channel.name))
        #expect(found == 1)
        #expect(events.next() == .changed)
        pool.notify("again")
        #expect(events.next() == .notified("again"))
    }
}
