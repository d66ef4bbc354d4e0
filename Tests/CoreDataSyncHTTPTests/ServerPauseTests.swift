#if SyncServer
@testable import CoreDataSyncTransport
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

    @Test("It cannot ask for more than an hour")
    func longest() throws {
        let (pause, start) = (ServerPause(), ContinuousClock.now)
        pause.note(Self.error(.max), at: start)
        #expect(throws: Self.error(3600)) { try pause.check(at: start) }
        try pause.check(at: start.advanced(by: .seconds(3600)))
    }
}
#endif
