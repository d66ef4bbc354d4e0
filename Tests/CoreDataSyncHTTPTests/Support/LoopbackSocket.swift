#if SyncServer
import Foundation

/// A connection to a server on loopback, on which a test says what no client would.
final class LoopbackSocket: Sendable {
    private let descriptor: Int32

    /// Connects.
    init(to server: URL) throws {
        descriptor = Self.connect(to: server.port ?? 0)
        guard descriptor >= 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Returns what the server says until it has nothing to add to the head and a body of the length that this has; all if
    /// it hangs up before. Waits on a thread of its own: the server needs those of the tests.
    func reply() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var text = ""
                var buffer = [UInt8](repeating: 0, count: 4096)
                while !Self.isWhole(text), case let count = recv(descriptor, &buffer, buffer.count, 0),
                    count > 0
                {
                    text += String(decoding: buffer[..<count], as: UTF8.self)
                }
                continuation.resume(returning: text)
            }
        }
    }

    private static func isWhole(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let head = text[..<end.lowerBound].lowercased()
        let field = head.components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        return text[end.upperBound...].utf8.count >= length
    }

    // MARK: Descriptors

    /// Returns a descriptor that listens at a port that the system gives, and the address.
    static func listen() throws -> (descriptor: Int32, url: URL) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && Foundation.listen(listener, 8) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        return (listener, URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")!)
    }

    /// Returns a descriptor that is connected; a negative number if it is not.
    static func connect(to port: Int) -> Int32 {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(socket)
            return -1
        }
        return socket
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }
}
#endif
