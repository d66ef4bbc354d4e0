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
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound, let port = server.port else { throw POSIXError(.EADDRNOTAVAIL) }
        url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")!
        self.listener = listener
        Thread.detachNewThread { [weak self] in
            while case let device = accept(listener, nil, nil), device >= 0 {
                let server = Self.connect(port)
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

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }

    private static func connect(_ port: Int) -> Int32 {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return socket
    }
}
#endif
