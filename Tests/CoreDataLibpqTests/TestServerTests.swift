import Foundation
import PostgreSQLTestSupport
import Testing

@Suite("The server for tests")
struct TestServerTests {
    @Test("Continuous integration has a PostgreSQL server, so that no suite is skipped there")
    func continuousIntegration() {
        #expect(TestServer.isAvailable || ProcessInfo.processInfo.environment["CI"] == nil)
    }

    @Test("A process has one server", .enabled(if: TestServer.isAvailable, "\(TestServer.absence)"))
    func once() throws {
        #expect(try TestServer.shared().url == TestServer.shared().url)
    }
}
