#if Studio
import Foundation

/// A request to a server of this machine, and its answer, over a connection of its own.
struct LocalExchange {
    let status: Int
    let body: [UInt8]

    /// Sends a request, and waits for the answer on a thread of its own.
    init(_ method: String, port: Int, path: String, body: String?) async throws {
        let type = "Content-Type: application/json\r\n"
        let content = body.map { "\(type)Content-Length: \($0.utf8.count)\r\n" } ?? ""
        let head =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(content)Connection: close\r\n\r\n"
        let answer = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try Self.exchange(Array((head + (body ?? "")).utf8), port: port) })
            }
        }
        guard let start = Self.body(of: answer)?.start,
            let status = Int(String(decoding: answer.prefix(12).suffix(3), as: UTF8.self))
        else { throw WebDriver.Failure(description: "\(method) \(path) was not answered") }
        self.status = status
        self.body = Array(answer[start...])
    }

    /// Returns where the body of an answer starts, and how long it is; nil before the head is complete.
    private static func body(of answer: [UInt8]) -> (start: Int, length: Int)? {
        let text = String(decoding: answer.prefix(4096), as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound].lowercased()
        let field = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
        return (text[..<end.upperBound].utf8.count, length)
    }

    private static func exchange(_ request: [UInt8], port: Int) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw WebDriver.Failure(description: "nothing listens at port \(port)") }
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw WebDriver.Failure(description: "the connection was closed") }
            rest = rest.dropFirst(count)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            answer += buffer[..<count]
            // The driver leaves the connection open.
            if let body = body(of: answer), answer.count >= body.start + body.length { break }
        }
        return answer
    }
}
#endif
