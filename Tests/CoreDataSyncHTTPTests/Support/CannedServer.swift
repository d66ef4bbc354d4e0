#if SyncServer
import Foundation
import Synchronization

/// A server on loopback that answers as a test wants, and notes what it was asked.
final class CannedServer: Sendable {
    struct Asked: Hashable {
        /// The first line.
        var line: String
        /// The number of the connection.
        var connection: Int
    }

    /// Returns the answer to the request of a number, from 0; nil to hold it for ever.
    typealias Answer = @Sendable (Int) -> [UInt8]?

    let url: URL
    /// An element for each connection that ends.
    let ends: AsyncStream<Void>
    private let end: AsyncStream<Void>.Continuation
    private let listener: Int32
    private let log = Mutex<[Asked]>([])

    var asked: [Asked] { log.withLock { $0 } }

    init(_ answer: @escaping Answer) throws {
        (ends, end) = AsyncStream.makeStream()
        let (listener, url) = try LoopbackSocket.listen()
        (self.listener, self.url) = (listener, url)
        Thread.detachNewThread { [weak self] in
            var number = 0
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                let current = number
                number += 1
                Thread.detachNewThread { [weak self] in
                    // A caller that leaves ends the read, and no request is half there.
                    while let line = Self.request(connection), let self {
                        guard let bytes = answer(self.note(line, current)) else { continue }
                        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                    }
                    close(connection)
                    self?.end.yield()
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func note(_ line: String, _ connection: Int) -> Int {
        log.withLock { log in
            log.append(Asked(line: line, connection: connection))
            return log.count - 1
        }
    }

    /// Reads a request without a body. Returns its first line, or nil at the end of the connection.
    private static func request(_ connection: Int32) -> String? {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            text.append(byte)
        }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// Makes an answer.
    static func answer(_ body: [UInt8], status: String = "200 OK", _ fields: [String] = []) -> [UInt8] {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}
#endif
