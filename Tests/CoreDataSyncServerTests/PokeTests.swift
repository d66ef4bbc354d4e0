import CoreDataSyncCore
import CoreDataSyncServer
import Testing

@Suite("News of zones")
struct PokeTests {
    private static let anna = Caller(user: "anna")
    private static let library = ZoneName(owner: "anna", name: "Library")!

    @Test("A push wakes those who listen to its zone, and one that changes nothing wakes nobody")
    func pushes() async throws {
        let server = try await TestServer()
        let hub = server.service.pokes
        let subscription = try hub.listen(to: [Self.library], as: "anna", atMost: 5)
        let other = try hub.listen(to: [ZoneName(owner: "anna", name: "Notes")!], as: "anna", atMost: 5)
        try await server.push(server.book(1, "x", by: 1), to: Self.library, by: 1, Self.anna)
        for await _ in subscription.signals { break }
        let news = subscription.take()
        #expect(news.pokes == [Poke(zone: Self.library, epoch: TestServer.epoch, sequence: 1)])
        #expect(news.delay != nil && other.take().delay == nil)
        #expect(other.take().pokes.isEmpty)
        try await server.push([], to: Self.library, by: 1, Self.anna)
        #expect(subscription.take().pokes.isEmpty)
    }

    @Test("A slow listener gets the last news of each zone")
    func coalescing() async throws {
        let server = try await TestServer()
        let hub = server.service.pokes
        let subscription = try hub.listen(to: [Self.library], as: "anna", atMost: 5)
        for number in UInt64(1)...100 {
            hub.announce(Poke(zone: Self.library, epoch: TestServer.epoch, sequence: number))
        }
        let last = Poke(zone: Self.library, epoch: TestServer.epoch, sequence: 100)
        #expect(subscription.take().pokes == [last])
    }

    @Test("A user listens as often as is allowed, and again after one has gone")
    func limits() async throws {
        let server = try await TestServer()
        let hub = server.service.pokes
        var first: PokeHub.Subscription? = try hub.listen(to: [], as: "anna", atMost: 1)
        #expect(throws: ServiceError.tooOften(seconds: 60)) { try hub.listen(to: [], as: "anna", atMost: 1) }
        _ = try hub.listen(to: [], as: "ben", atMost: 1)
        #expect(first != nil)
        first = nil
        #expect(hub.count == 0)
        _ = try hub.listen(to: [], as: "anna", atMost: 1)
    }

    @Test("A wait ends at its deadline, and one that has none goes on")
    func deadlines() async throws {
        let server = try await TestServer()
        let hub = server.service.pokes
        let now = ContinuousClock.now
        let first = try hub.listen(to: [Self.library], as: "anna", atMost: 3, until: now + .seconds(25))
        let second = try hub.listen(to: [Self.library], as: "anna", atMost: 3, until: now + .seconds(50))
        let endless = try hub.listen(to: [Self.library], as: "anna", atMost: 3)
        hub.endWaits(at: now + .seconds(24))
        hub.announce(Poke(zone: Self.library, epoch: TestServer.epoch, sequence: 1))
        hub.endWaits(at: now + .seconds(25))
        var count = 0
        for await _ in first.signals { count += 1 }
        #expect(count == 1 && first.take().pokes.count == 1)
        hub.beat()
        for subscription in [second, endless] {
            for await _ in subscription.signals { break }
            #expect(subscription.take().pokes.count == 1)
        }
    }

    @Test("When the hub closes, all streams end and none begins")
    func closing() async throws {
        let server = try await TestServer()
        let hub = server.service.pokes
        let subscription = try hub.listen(to: [Self.library], as: "anna", atMost: 1)
        hub.close()
        for await _ in subscription.signals {}
        #expect(throws: ServiceError.busy) { try hub.listen(to: [], as: "anna", atMost: 1) }
    }
}
