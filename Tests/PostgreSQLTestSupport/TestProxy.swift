package import Foundation
import Synchronization

/// A TCP proxy in front of a PostgreSQL server that counts round trips, delays them, and cuts or holds
/// connections at a chosen place. Each direction of a connection is a thread.
package final class TestProxy: Sendable {
    /// The place where a connection is cut.
    package enum Cut: Sendable {
        /// Before the client's next request reaches the server.
        case beforeServer
        /// After the server has done the client's next request, before its answer reaches the client.
        case afterServer
        /// After the first part of the answer to the client's next request has reached the client.
        case inAnswer
        /// Nowhere: of the client's next request, nothing more than its beginning is received.
        case never
    }

    private struct State {
        var delay: TimeInterval = 0
        var cut: Cut?
        /// The requests before the one at which a connection is cut.
        var requestsBeforeCut = 0
        var refuses = false
        var trips = 0
        var isClosed = false
        /// The connections by their numbers, each a client and a server.
        var pairs: [Int: [LoopbackSocket]] = [:]
        var nextPair = 0
    }

    private let listener: LoopbackSocket
    private let target: Int
    private let state = Mutex(State())

    package var port: Int { listener.port }

    /// The number of requests that the server has answered, on all connections.
    package var trips: Int { state.withLock { $0.trips } }

    /// Listens in front of the server at a port of the loopback interface.
    ///
    /// - Parameter delay: The delay of each request in seconds.
    package init(target: Int, delay: TimeInterval = 0) throws {
        listener = try LoopbackSocket()
        self.target = target
        state.withLock { $0.delay = delay }
        Thread.detachNewThread { [self] in
            while let client = listener.accepted() { serve(client) }
        }
    }

    /// Cuts the connection whose client sends something next.
    ///
    /// - Parameter count: The number of requests that pass before.
    package func cutNext(_ cut: Cut, after count: Int = 0) {
        state.withLock { ($0.cut, $0.requestsBeforeCut) = (cut, count) }
    }

    /// Refuses new connections, or accepts them again.
    package func refuse(_ refuses: Bool) { state.withLock { $0.refuses = refuses } }

    /// Cuts all connections now.
    package func cutAll() {
        // The lock is held, since the descriptor of a socket that is closed meanwhile could be another one's.
        state.withLock { state in
            for socket in state.pairs.values.joined() { socket.shutDown() }
        }
    }

    package func close() {
        state.withLock { $0.isClosed = true }
        listener.shutDown()
        cutAll()
    }

    private func serve(_ client: LoopbackSocket) {
        guard !state.withLock({ $0.refuses }), let server = try? LoopbackSocket(port: target) else {
            return client.close()
        }
        let connection = Connection(client: client, server: server)
        let number = state.withLock { state in
            state.pairs[state.nextPair] = [client, server]
            state.nextPair += 1
            return state.nextPair - 1
        }
        let group = DispatchGroup()
        for direction in [forwardRequests, forwardAnswers] {
            group.enter()
            Thread.detachNewThread {
                direction(connection)
                client.shutDown()
                server.shutDown()
                group.leave()
            }
        }
        group.notify(queue: .global()) { [self] in
            state.withLock { $0.pairs[number] = nil }
            client.close()
            server.close()
        }
        if state.withLock({ $0.isClosed }) { cutAll() }
    }

    private final class Connection: Sendable {
        let client: LoopbackSocket
        let server: LoopbackSocket
        let isAnswerDue = Mutex(false)
        /// The place in the present request or its answer at which the connection is cut.
        let cut = Mutex<Cut?>(nil)

        init(client: LoopbackSocket, server: LoopbackSocket) {
            (self.client, self.server) = (client, server)
        }
    }

    @Sendable private func forwardRequests(_ connection: Connection) {
        while true {
            let bytes = connection.client.read()
            guard !bytes.isEmpty else { return }
            let (delay, cut) = state.withLock { state in (state.delay, Self.takeCut(&state)) }
            switch cut {
            case .beforeServer: return
            case .never:
                connection.client.waitForEnd()
                return
            case .afterServer, .inAnswer: connection.cut.withLock { $0 = cut }
            case nil: break
            }
            connection.isAnswerDue.withLock { $0 = true }
            if delay > 0 { Thread.sleep(forTimeInterval: delay) }
            connection.server.write(bytes)
        }
    }

    private static func takeCut(_ state: inout State) -> Cut? {
        guard let cut = state.cut else { return nil }
        guard state.requestsBeforeCut == 0 else {
            state.requestsBeforeCut -= 1
            return nil
        }
        state.cut = nil
        return cut
    }

    @Sendable private func forwardAnswers(_ connection: Connection) {
        while true {
            let bytes = connection.server.read()
            guard !bytes.isEmpty else { return }
            let isFirst = connection.isAnswerDue.withLock { isDue in
                defer { isDue = false }
                return isDue
            }
            if isFirst { state.withLock { $0.trips += 1 } }
            switch connection.cut.withLock({ $0 }) {
            case .afterServer:
                if Self.isReadyForQuery(bytes) { return }
            case .inAnswer:
                connection.client.write(bytes)
                return
            case .beforeServer, .never, nil: connection.client.write(bytes)
            }
        }
    }

    /// Returns whether an answer ends with the message that the server is ready for the next request: five
    /// bytes and the state of the transaction.
    private static func isReadyForQuery(_ bytes: [UInt8]) -> Bool {
        bytes.suffix(6).prefix(5).elementsEqual([UInt8(ascii: "Z"), 0, 0, 0, 5])
    }
}
