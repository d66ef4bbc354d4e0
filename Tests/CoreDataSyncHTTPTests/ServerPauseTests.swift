#if SyncServer
@testable import CoreDataSyncTransport
import Foundation
import Testing

@Suite("A server that wants to be left alone")
struct ServerPauseTests {
    private static func error(_ seconds: Int?) -> SyncHTTPError {
        SyncHTTPError(status: 429, reason: "too often", retryAfter: seconds)
    }

    @Test("It is not asked before its time, and then again")
    func pause() throws {
        let (pause, start) = (ServerPause(), ContinuousClock.now)
        try pause.check(at: start)
        pause.note(Self.error(nil), at: start)
        try pause.check(at: start)
        pause.note(Self.error(10), at: start)
        #expect(throws: Self.error(10)) { try pause.check(at: start) }
        #expect(throws: Self.error(4)) { try pause.check(at: start.advanced(by: .milliseconds(6500))) }
        try pause.check(at: start.advanced(by: .seconds(10)))
    }

    @Test("Large values are not asked for and not sent before its time either")
    func blobs() async throws {
        let server = try CannedServer { _ in
            Array("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3000\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        let client = SyncHTTPClient(server: server.url, zone: "Library", configuration: LiveServer.patience) {
            "token"
        }
        let hash = String(repeating: "ab", count: 32)
        for _ in 0..<2 {
            await #expect(throws: SyncHTTPError.self) { try await client.upload(Data([1]), as: hash) }
            await #expect(throws: SyncHTTPError.self) { try await client.part(of: hash, from: 0) }
        }
        #expect(server.asked.map(\.line) == ["HEAD /v1/zones/Library/blobs/\(hash) HTTP/1.1"])
    }

    @Test("It cannot ask for more than an hour")
    func longest() throws {
        let (pause, start) = (ServerPause(), ContinuousClock.now)
        pause.note(Self.error(.max), at: start)
        #expect(throws: Self.error(3600)) { try pause.check(at: start) }
        try pause.check(at: start.advanced(by: .seconds(3600)))
    }
}
#endif
