#if SyncServer
import Foundation
import Testing

@Suite("Devices that hang up")
struct HangupTests {
    /// Opens a connection that a test can end at any moment, as no `URLSession` on Linux can.
    private static func connect(to server: LiveServer) throws -> Int32 {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(server.url.port ?? 0).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw POSIXError(.ECONNREFUSED) }
        return connection
    }

    /// Waits until the metrics have a line.
    private static func wait(for line: String, _ server: LiveServer) async throws {
        while true {
            let reply = try await server.ask("GET", "/metrics", token: "the-secret-token-of-ops")
            if reply.text.split(separator: "\n").contains(Substring(line)) { return }
            await Task.yield()
        }
    }

    @Test("A request that is held ends when its device hangs up, and is counted no longer")
    func held() async throws {
        try await LiveServer.run(#""limits": {"requestsPerSecond": 0}"#) { server in
            try await server.hello()
            let connection = try Self.connect(to: server)
            defer { close(connection) }
            let request = """
                GET /v1/live?zone=Library&after=0&wait=60 HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer \(LiveServer.annasToken)\r
                \r

                """
            #expect(send(connection, request, request.utf8.count, 0) == request.utf8.count)
            try await Self.wait(for: "syncd_live_connections 1", server)
            shutdown(connection, Int32(SHUT_RDWR))
            try await Self.wait(for: "syncd_hangups_total 1", server)
            try await Self.wait(for: "syncd_live_connections 0", server)
        }
    }
}
#endif
