import Foundation

/// A socket of the loopback interface, with as much of the system's interface as a proxy needs.
struct LoopbackSocket: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ call: String) {
            description = "\(call): \(String(cString: strerror(errno)))"
        }
    }

    let descriptor: Int32

    private static func withAddress<Result>(
        port: Int, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func make() throws(Failure) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure("socket") }
        return descriptor
    }

    /// Listens on a free port.
    init() throws(Failure) {
        self.init(descriptor: try Self.make())
        let code = Self.withAddress(port: 0) { bind(descriptor, $0, $1) }
        guard code == 0, listen(descriptor, 64) == 0 else { throw Failure("listen") }
    }

    /// Connects to a port.
    init(port: Int) throws(Failure) {
        self.init(descriptor: try Self.make())
        let code = Self.withAddress(port: port) { connect(descriptor, $0, $1) }
        guard code == 0 else {
            close()
            throw Failure("connect")
        }
    }

    var port: Int {
        Self.withAddress(port: 0) { address, length in
            var length = length
            getsockname(descriptor, address, &length)
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }

    /// Waits for a connection; nil once the socket was shut down.
    func accepted() -> LoopbackSocket? {
        let descriptor = accept(descriptor, nil, nil)
        return descriptor < 0 ? nil : LoopbackSocket(descriptor: descriptor)
    }

    /// Waits for bytes; empty at the end of the connection.
    func read() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }

    /// Waits for the end of the connection without reading what arrives.
    func waitForEnd() {
        // POLLRDHUP, which Swift does not import.
        var event = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        poll(&event, 1, -1)
    }

    /// Writes bytes; an error shows at the next read.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the connection for both sides; threads that wait for it return.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    func close() { _ = Foundation.close(descriptor) }
}
