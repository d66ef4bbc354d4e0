#if Studio
import Foundation

/// A connection on which a test sends any bytes, and reads whatever comes back.
final class RawClient: Sendable {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno)!) }
        // A server that never answers must fail the test, not stop it.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends bytes. A server that has closed the connection already is no failure.
    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Reads some bytes. Returns none at the end. A thread of its own waits: those of the pool are for the server.
    func read() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var buffer = [UInt8](repeating: 0, count: 65536)
                let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress!, $0.count, 0) }
                continuation.resume(returning: Array(buffer.prefix(max(count, 0))))
            }
        }
    }

    /// Reads until the server closes the connection.
    func readToEnd() async -> RawAnswer {
        var all: [UInt8] = []
        while true {
            let bytes = await read()
            if bytes.isEmpty { return RawAnswer(all) }
            all += bytes
        }
    }

    /// Reads one answer whose head tells its length.
    func readAnswer() async -> RawAnswer {
        var all: [UInt8] = []
        while true {
            let answer = RawAnswer(all)
            if let length = answer.field("content-length").flatMap({ Int($0) }), answer.body.count >= length {
                return answer
            }
            let bytes = await read()
            if bytes.isEmpty { return answer }
            all += bytes
        }
    }
}

/// What came back, split into its parts.
struct RawAnswer {
    let text: String

    init(_ bytes: [UInt8]) {
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The status; nil if the connection was closed without an answer.
    var status: Int? { Int(text.prefix { $0 != "\r\n" }.split(separator: " ").dropFirst().first ?? "") }

    private var halves: (head: String, body: String) {
        guard let end = text.range(of: "\r\n\r\n") else { return (text, "") }
        return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    }

    var body: String.UTF8View { halves.body.utf8 }

    func field(_ name: String) -> String? {
        for line in halves.head.split(separator: "\r\n") {
            let pair = line.split(separator: ":", maxSplits: 1)
            if pair.count == 2, pair[0].lowercased() == name {
                return pair[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }
}
#endif
