package import CoreDataSQL
import Dispatch
import Foundation
import Synchronization

/// The connections to one database, each of which reads and writes. If all of them are taken, uses wait in
/// the order of the calls, for a limited time.
package final class PostgreSQLPool: Sendable {
    package struct Limits: Sendable {
        /// The greatest number of connections, without the one that listens.
        package var connections = 8
        /// The number of connections that stay open without being used.
        package var warm = 2
        /// The time that a use waits for a connection.
        package var patience = Duration.seconds(5)
        /// The time after which a connection that is not used is closed.
        package var idle = Duration.seconds(60)

        package init() {}
    }

    private enum Grant {
        case connection(PostgreSQLConnection)
        /// The right to open another one.
        case opening
        case closed
    }

    private final class Waiter: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let grant = Mutex<Grant?>(nil)

        func receive(_ grant: Grant) {
            self.grant.withLock { $0 = grant }
            semaphore.signal()
        }
    }

    private struct State {
        /// The connections that are free; the one used last is the last.
        var idle: [(connection: PostgreSQLConnection, since: ContinuousClock.Instant)] = []
        /// The number of connections that are open or being opened.
        var count = 0
        var waiters: [Waiter] = []
        var isTrimming = false
        var isClosed = false
        var listener: Listener?
    }

    private let limits: Limits
    private let open: @Sendable () throws(PostgreSQLError) -> PostgreSQLConnection
    private let state = Mutex(State())
    /// The uses under way.
    private let uses = DispatchGroup()

    /// Makes a pool, which opens connections when they are needed.
    package init(
        limits: Limits = Limits(),
        open: @escaping @Sendable () throws(PostgreSQLError) -> PostgreSQLConnection
    ) {
        self.limits = limits
        self.open = open
    }

    package convenience init(_ options: ConnectionOptions, limits: Limits = Limits()) {
        self.init(limits: limits) { () throws(PostgreSQLError) in try PostgreSQLConnection(options) }
    }

    deinit {
        state.withLock { $0.listener }?.close()
    }

    // MARK: Using

    /// Runs the body with a connection that no other thread uses meanwhile. A transaction that the body
    /// leaves open is rolled back.
    ///
    /// - Throws: After `Limits.patience` `poolExhausted`, or `busy` if the server has no connection left.
    package func use<Result>(
        _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
    ) throws(PostgreSQLError) -> Result {
        uses.enter()
        defer { uses.leave() }
        let connection = try takePatiently()
        defer { give(connection) }
        return try body(connection)
    }

    /// Takes a connection. If the server has none left, tries again: another use or program may end one.
    private func takePatiently() throws(PostgreSQLError) -> PostgreSQLConnection {
        let deadline = ContinuousClock.now.advanced(by: limits.patience)
        while true {
            do throws(PostgreSQLError) {
                return try take()
            } catch {
                guard error.kind == .busy, .now < deadline else { throw error }
                Thread.sleep(forTimeInterval: Self.pause)
            }
        }
    }

    /// The seconds after which a server that had no connection left is asked again.
    private static let pause = 0.05

    /// Runs a statement on another thread, unless the pool is closed before. Ignores errors.
    package func run(later sql: SQLText) {
        DispatchQueue.global(qos: .utility).async { [self] in
            _ = try? use { connection throws(PostgreSQLError) in try connection.run(sql) }
        }
    }

    private func take() throws(PostgreSQLError) -> PostgreSQLConnection {
        var grant = state.withLock { state in free(&state) }
        if grant == nil { grant = try wait() }
        switch grant {
        case .connection(let connection) where !connection.hasEnded(): return connection
        case .connection(let connection):
            connection.close()
            return try openGranted()
        case .opening: return try openGranted()
        case .closed, nil: throw Self.closed
        }
    }

    /// Returns a connection or the right to open one; nil if there is neither, or others are waiting already.
    private func free(_ state: inout State) -> Grant? {
        if state.isClosed { return .closed }
        guard state.waiters.isEmpty else { return nil }
        if let (connection, _) = state.idle.popLast() { return .connection(connection) }
        guard state.count < limits.connections else { return nil }
        state.count += 1
        return .opening
    }

    private func wait() throws(PostgreSQLError) -> Grant? {
        let waiter = Waiter()
        let grant = state.withLock { state in
            let grant = free(&state)
            if grant == nil { state.waiters.append(waiter) }
            return grant
        }
        if let grant { return grant }
        if waiter.semaphore.wait(timeout: .now() + limits.patience.interval) == .timedOut {
            // A connection may have been granted just now.
            state.withLock { state in state.waiters.removeAll { $0 === waiter } }
        }
        if let grant = waiter.grant.withLock({ $0 }) { return grant }
        throw PostgreSQLError(
            kind: .poolExhausted,
            message:
                "pool exhausted: all \(limits.connections) connections were in use for \(limits.patience)")
    }

    private func openGranted() throws(PostgreSQLError) -> PostgreSQLConnection {
        do throws(PostgreSQLError) {
            return try open()
        } catch {
            state.withLock { state in leave(&state) }
            throw error
        }
    }

    /// Gives up the place of a closed connection, so that another use may open one.
    private func leave(_ state: inout State) {
        guard let next = state.waiters.first else {
            state.count -= 1
            return
        }
        state.waiters.removeFirst()
        next.receive(.opening)
    }

    private func give(_ connection: PostgreSQLConnection) {
        connection.rollback()
        let isKept = state.withLock { state in
            guard connection.isUsable, !connection.hasRefusedToWrite, !state.isClosed else {
                leave(&state)
                return false
            }
            if state.waiters.isEmpty {
                state.idle.append((connection, .now))
                scheduleTrimming(&state)
            } else {
                state.waiters.removeFirst().receive(.connection(connection))
            }
            return true
        }
        if !isKept { connection.close() }
    }

    /// Opens as many connections as stay open without use, before they are needed.
    package func warmUp() throws(PostgreSQLError) {
        while reserveWarm() { give(try openGranted()) }
    }

    private func reserveWarm() -> Bool {
        state.withLock { state in
            guard state.count < min(limits.warm, limits.connections), !state.isClosed else { return false }
            state.count += 1
            return true
        }
    }

    // MARK: Trimming

    private func scheduleTrimming(_ state: inout State) {
        guard !state.isTrimming, state.idle.count > limits.warm else { return }
        state.isTrimming = true
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + limits.idle.interval) {
            [weak self] in
            self?.trim(at: .now)
        }
    }

    /// Closes connections that have been unused for `Limits.idle`, except those that stay warm.
    func trim(at now: ContinuousClock.Instant) {
        let old = state.withLock { state in
            state.isTrimming = false
            let excess = max(0, state.idle.count - limits.warm)
            let old = state.idle.prefix(excess).prefix { $0.since.advanced(by: limits.idle) <= now }
            state.idle.removeFirst(old.count)
            for _ in old { leave(&state) }
            scheduleTrimming(&state)
            return old.map(\.connection)
        }
        for connection in old { connection.close() }
    }

    /// The number of open connections, and of uses that wait for one.
    var counts: (open: Int, waiting: Int) { state.withLock { ($0.count, $0.waiters.count) } }

    // MARK: Listening

    /// Listens to a channel on a connection of its own, until the pool closes or another listener takes its
    /// place.
    package func listen(_ listening: Listening) {
        let old = state.withLock { state in
            let old = state.listener
            state.listener = state.isClosed ? nil : Listener(listening, open: open)
            return old
        }
        old?.close()
    }

    /// Has the listening connection notify all sessions that listen to its channel; does nothing without a
    /// listener.
    package func notify(_ payload: String) {
        state.withLock { $0.listener }?.notify(payload)
    }

    // MARK: Closing

    /// Waits for the uses under way and closes all connections; uses that wait for one fail.
    package func close() {
        let (waiters, listener) = state.withLock { state in
            defer { (state.waiters, state.listener, state.isClosed) = ([], nil, true) }
            return (state.waiters, state.listener)
        }
        for waiter in waiters { waiter.receive(.closed) }
        listener?.close()
        uses.wait()
        let idle = state.withLock { state in
            defer { (state.idle, state.count) = ([], 0) }
            return state.idle
        }
        for (connection, _) in idle { connection.close() }
    }

    private static let closed = PostgreSQLError(
        kind: .cannotConnect, message: "the pool of connections has been closed")
}

extension Duration {
    /// The duration as Dispatch takes it.
    var interval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
