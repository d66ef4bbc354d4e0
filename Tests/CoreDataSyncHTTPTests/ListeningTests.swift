#if SyncServer
import CoreDataSyncCore
import CoreDataSyncTransport
import Foundation
import Synchronization
import Testing

@Suite("Devices that listen")
struct ListeningTests {
    /// The answer that the zone stands at a number.
    private static func heads(_ number: UInt64, _ fields: [String] = []) -> [UInt8] {
        let heads = ZoneHeads([.init(zone: "Library", epoch: 1, sequence: number)])
        return CannedServer.answer(CBORWriter.bytes(of: heads.wire), fields)
    }

    private static func client(_ server: CannedServer) -> SyncHTTPClient {
        SyncHTTPClient(server: server.url, zone: "Library", configuration: LiveServer.patience) { "token" }
    }

    /// Listens until so many pauses were to be made, and returns them and how many news there were.
    private static func listen(
        _ server: CannedServer, pauses most: Int
    ) async -> (pauses: [Double], news: Int) {
        let made = Mutex<[Double]>([])
        var news = 0
        // Every answer comes at once, however busy the machine is.
        let start = ContinuousClock.now
        let stream = client(server).news { pause in
            let count = made.withLock { pauses in
                pauses.append(pause)
                return pauses.count
            }
            if count == most { throw CancellationError() }
        } now: {
            start
        }
        for await _ in stream { news += 1 }
        return (made.withLock { $0 }, news)
    }

    @Test("A device asks once where the zone stands, and then once for each news, on one connection")
    func requests() async throws {
        let server = try CannedServer { $0 < 4 ? Self.heads(UInt64($0)) : nil }
        let (pauses, end) = AsyncStream<Void>.makeStream()
        var news = Self.client(server).news { _ in for await _ in pauses { break } }.makeAsyncIterator()
        for number in 1...4 {
            _ = await news.next()
            #expect(server.asked.count == number)
            end.yield()
        }
        let lines = server.asked.map(\.line)
        #expect(lines[0] == "GET /v1/live?wait=0&zone=Library HTTP/1.1")
        for number in 1...3 {
            #expect(lines[number] == "GET /v1/live?after=\(number - 1)&wait=25&zone=Library HTTP/1.1")
        }
        #expect(Set(server.asked.map(\.connection)) == [0])
    }

    @Test("A device that stops listening asks nothing more, and drops the answer that still comes")
    func stop() async throws {
        let (held, isHeld) = AsyncStream<Void>.makeStream()
        let answer = DispatchSemaphore(value: 0)
        let server = try CannedServer { number in
            if number == 0 { return Self.heads(0) }
            isHeld.yield()
            answer.wait()
            return Self.heads(1)
        }
        let listener = Task {
            var news = 0
            for await _ in Self.client(server).news(pausing: { _ in }) { news += 1 }
            return news
        }
        for await _ in held { break }
        listener.cancel()
        #expect(await listener.value == 1)
        answer.signal()
        // The session ends with its last request, and hangs up.
        for await _ in server.ends { break }
        #expect(server.asked.count == 2)
    }

    @Test("Devices that stop listening at any moment amid many answers ask nothing more")
    func stopAmidAnswers() async throws {
        let server = try CannedServer { Self.heads(UInt64($0)) }
        var random = SeededGenerator(7)
        for _ in 0..<10 {
            let listeners = (0..<8).map { _ in
                let (first, isFirst) = AsyncStream<Void>.makeStream()
                let task = Task {
                    for await _ in Self.client(server).news(pausing: { _ in }) { isFirst.yield() }
                }
                return (task: task, first: first)
            }
            for listener in listeners { for await _ in listener.first { break } }
            for _ in 0..<random.below(100) { await Task.yield() }
            for listener in listeners { listener.task.cancel() }
            for listener in listeners { await listener.task.value }
        }
        for _ in 0..<80 { for await _ in server.ends { break } }
        #expect(server.asked.count >= 80)
    }

    @Test("A request is answered, or not sent, at whatever moment its caller is cancelled")
    func cancellation() async throws {
        let bytes = [UInt8](repeating: 7, count: 20_000)
        let server = try CannedServer { _ in CannedServer.answer(bytes) }
        let client = Self.client(server)
        var random = SeededGenerator(7)
        var answered = 0
        for _ in 0..<40 {
            let callers = (0..<8).map { _ in Task { try await client.part(of: "00", from: 0) } }
            for _ in 0..<random.below(100) { await Task.yield() }
            for caller in callers { caller.cancel() }
            for caller in callers {
                do {
                    #expect(try await caller.value.total == bytes.count)
                    answered += 1
                } catch is CancellationError {}
            }
        }
        #expect(server.asked.count == answered)
    }

    @Test("Where nothing holds requests they come ever more seldom, and without news no news are told")
    func unheld() async throws {
        let server = try CannedServer { _ in Self.heads(7) }
        let (pauses, news) = await Self.listen(server, pauses: 9)
        #expect(server.asked.count == 9 && news == 1)
        for (number, pause) in pauses.enumerated() {
            let most = number == 0 ? 0.5 : Double(1 << min(number, 6))
            #expect((most / 2...most).contains(pause), "\(number)")
        }
    }

    @Test("Where connections are not kept no request is held")
    func closed() async throws {
        let server = try CannedServer { _ in Self.heads(7, ["Connection: close"]) }
        let (pauses, _) = await Self.listen(server, pauses: 4)
        #expect(server.asked.allSatisfy { $0.line.contains("wait=0&") } && server.asked.count == 4)
        #expect(pauses[3] >= 8)
    }

    @Test("A server that fails is asked ever more seldom, not before it wants to be, and then as if anew")
    func failures() async throws {
        let server = try CannedServer { number in
            switch number {
            case 0: Self.heads(1)
            case 1, 2: CannedServer.answer([], status: "502 Bad Gateway")
            case 3: CannedServer.answer([], status: "429 Too Many Requests", ["Retry-After: 100"])
            default: Self.heads(2)
            }
        }
        let (pauses, news) = await Self.listen(server, pauses: 5)
        #expect(news == 2 && server.asked.count == 5)
        #expect((1...2).contains(pauses[1]) && (2...4).contains(pauses[2]) && (104...108).contains(pauses[3]))
        #expect(server.asked.map { $0.line.contains("wait=25") } == [false, true, false, false, false])
    }
}
#endif
