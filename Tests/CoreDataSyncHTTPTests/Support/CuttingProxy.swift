#if SyncServer
import Foundation
import Synchronization

/// A network between devices and a server on loopback, which is cut after so many bytes: once a direction.
final class CuttingProxy: Sendable {
    enum Direction { case up, down }

    private struct State {
        var count: [Direction: Int] = [:]
        var limit: [Direction: Int] = [:]
        var cuts = 0
    }

    let url: URL
    private let listener: Int32
    private let state = Mutex(State())

    init(to server: URL) throws {
        let (listener, url) = try LoopbackSocket.listen()
        guard let port = server.port else { throw POSIXError(.EADDRNOTAVAIL) }
        (self.listener, self.url) = (listener, url)
        Thread.detachNewThread { [weak self] in
            while case let device = accept(listener, nil, nil), device >= 0 {
                let server = LoopbackSocket.connect(to: port)
                for (direction, source, target) in [(Direction.up, device, server), (.down, server, device)] {
                    Thread.detachNewThread { [weak self] in
                        self?.relay(direction, from: source, to: target)
                        // The other thread's reads and writes end, too.
                        for socket in [source, target] { shutdown(socket, Int32(SHUT_RDWR)) }
                    }
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// How many bytes have gone that way.
    func count(_ direction: Direction) -> Int { state.withLock { $0.count[direction] ?? 0 } }

    /// How many connections were cut.
    var cuts: Int { state.withLock { $0.cuts } }

    /// Cuts the connection that carries the byte of a number from now on.
    func cut(_ direction: Direction, after bytes: Int) {
        state.withLock { $0.limit[direction] = ($0.count[direction] ?? 0) + bytes }
    }

    private func relay(_ direction: Direction, from source: Int32, to target: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
            let isCut = state.withLock { state in
                state.count[direction, default: 0] += count
                guard let limit = state.limit[direction], state.count[direction] ?? 0 > limit else {
                    return false
                }
                state.limit[direction] = nil
                state.cuts += 1
                return true
            }
            if isCut { return }
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes { bytes in
                    send(target, bytes.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { return }
                sent += more
            }
        }
    }
}
#endif
