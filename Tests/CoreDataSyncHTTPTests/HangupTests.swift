#if SyncServer
import CoreDataSyncTransport
import Foundation
import Testing

@Suite("Devices that hang up")
struct HangupTests {
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
            let (answers, isAnswered) = AsyncStream<Void>.makeStream()
            let listener = Task {
                for await _ in server.client().news(pausing: { _ in }) { isAnswered.yield() }
            }
            // The first request is not held.
            for await _ in answers { break }
            try await Self.wait(for: "syncd_live_connections 1", server)
            listener.cancel()
            await listener.value
            try await Self.wait(for: "syncd_hangups_total 1", server)
            try await Self.wait(for: "syncd_live_connections 0", server)
        }
    }
}
#endif
