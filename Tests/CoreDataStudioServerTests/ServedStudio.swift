#if Studio
import CoreDataJSON
import CoreDataStudioInterface
import CoreDataStudioServer
import Synchronization
import Testing

/// A server before a studio that notes what reaches it.
final class ServedStudio: Sendable {
    let server: StudioServer
    let token: String
    private let clock: TestClock
    private let reached: Reached

    /// The requests that the gate let through, and the answers to the next ones.
    final class Reached: Sendable {
        let requests = Mutex<[StudioRequest]>([])
        let answer: StudioHandler

        init(_ answer: @escaping StudioHandler) {
            self.answer = answer
        }
    }

    /// The time that a test sets.
    final class TestClock: Sendable {
        let time = Mutex(ContinuousClock.now)

        func pass(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    }

    private init(_ server: StudioServer, _ token: String, _ clock: TestClock, _ reached: Reached) {
        (self.server, self.token, self.clock, self.reached) = (server, token, clock, reached)
    }

    /// Runs a test against a server, which ends with it.
    static func run(
        limits: ServerLimits = ServerLimits(),
        answer: @escaping StudioHandler = { _ in .json(.object([.init("done", .boolean(true))])) },
        _ test: (ServedStudio) async throws -> Void
    ) async throws {
        let (clock, reached) = (TestClock(), Reached(answer))
        let server = try await StudioServer(limits: limits, now: { clock.time.withLock { $0 } }) { request in
            reached.requests.withLock { $0.append(request) }
            return await reached.answer(request)
        }
        let running = Task { await server.run() }
        let result: Result<Void, any Error>
        do {
            let token = try await token(of: server)
            result = .success(try await test(ServedStudio(server, token, clock, reached)))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        try result.get()
    }

    /// Exchanges the code of a new link.
    private static func token(of server: StudioServer) async throws -> String {
        let answer = try await answered {
            let client = try RawClient(port: server.port)
            let code = try #require(server.makeLink().split(separator: "=").last)
            client.send(post("/api/session", "{\"code\":\"\(code)\"}", port: server.port))
            return await client.readAnswer()
        }
        return try #require(JSONParser.parse(Array(answer.body))["token"]?.string)
    }

    /// Asks again while the server ends the connection without an answer: a busy one may not read a request
    /// within the short limits of time that some tests give it.
    static func answered(_ ask: () async throws -> RawAnswer) async throws -> RawAnswer {
        for _ in 1...1000 {
            let answer = try await ask()
            if answer.status != nil { return answer }
        }
        return try #require(nil as RawAnswer?, "a thousand requests got no answer")
    }

    /// The text of a POST with a JSON body.
    static func post(_ path: String, _ body: String, port: Int, token: String? = nil) -> String {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(authorization)"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The requests that the gate let through.
    var requests: [StudioRequest] { reached.requests.withLock { $0 } }

    func pass(_ duration: Duration) { clock.pass(duration) }

    /// Sends a text in which `{port}` and `{token}` stand for those of this server, and reads one answer.
    func answer(to text: String) async throws -> RawAnswer {
        let client = try RawClient(port: server.port)
        client.send(filled(text))
        return await client.readAnswer()
    }

    func filled(_ text: String) -> String {
        text.replacing("{port}", with: String(server.port)).replacing("{token}", with: token)
    }
}
#endif
