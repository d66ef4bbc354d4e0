import CoreDataSQL
import Dispatch
import Synchronization

/// Connections that read, each for one reader at a time. A reader that finds none free waits in line.
final class ReaderPool: Sendable {
    private struct State {
        var idle: [any SQLConnection] = []
        var open = 0
        var waiting: [CheckedContinuation<any SQLConnection, any Error>] = []
        var isClosed = false
    }

    private enum Turn {
        case take(any SQLConnection)
        case open
        case wait
    }

    static let longest = 1024

    private let most: Int
    private let make: @Sendable () throws -> any SQLConnection
    private let queue = DispatchQueue(
        label: "CoreDataSyncServer.ReaderPool", qos: .userInitiated, attributes: .concurrent)
    private let state = Mutex(State())

    init(_ most: Int, make: @escaping @Sendable () throws -> any SQLConnection) {
        self.most = most
        self.make = make
    }

    /// Runs `body` on one snapshot of the database.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Result
    ) async throws -> Result {
        let connection = try await take()
        defer { giveBack(connection) }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Swift.Result {
                        try connection.begin(.deferred)
                        defer { connection.rollback() }
                        return try body(connection)
                    })
            }
        }
    }

    private func take() async throws -> any SQLConnection {
        try await withCheckedThrowingContinuation { continuation in
            do {
                let turn = try state.withLock { state -> Turn in
                    guard !state.isClosed, state.waiting.count < Self.longest else { throw ServerBusy() }
                    if let connection = state.idle.popLast() { return .take(connection) }
                    if state.open < most {
                        state.open += 1
                        return .open
                    }
                    state.waiting.append(continuation)
                    return .wait
                }
                switch turn {
                case .take(let connection): continuation.resume(returning: connection)
                case .open: continuation.resume(with: Swift.Result { try opened() })
                case .wait: break
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func opened() throws -> any SQLConnection {
        do {
            return try make()
        } catch {
            state.withLock { $0.open -= 1 }
            throw error
        }
    }

    private func giveBack(_ connection: any SQLConnection) {
        let next = state.withLock { state -> CheckedContinuation<any SQLConnection, any Error>? in
            if state.isClosed {
                connection.close()
                return nil
            }
            if state.waiting.isEmpty {
                state.idle.append(connection)
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: connection)
    }

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            for connection in state.idle { connection.close() }
            state.idle = []
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(throwing: ServerBusy()) }
    }
}
