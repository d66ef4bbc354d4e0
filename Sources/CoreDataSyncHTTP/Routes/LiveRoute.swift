#if SyncServer
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import HTTPTypes
import Hummingbird
import NIOCore

/// Which zones have news. Data always comes by pulling, so news that are lost cost time only.
///
/// With `wait`, which devices use, it is one answer of where the zones stand: as soon as the sum of their numbers is not
/// `after`, as in the last answer, or after so many seconds. Else it is a stream of server-sent events.
struct LiveRoute: Sendable {
    let service: SyncService
    let metrics: ServerMetrics
    let hangups: Hangups

    /// The zones of one stream.
    private static let most = 100

    func add(to group: RouterGroup<SyncContext>) {
        group.get("live", use: live)
    }

    @Sendable private func live(_ request: Request, _ context: SyncContext) async throws -> Response {
        let caller = try context.authenticated()
        let names = request.uri.queryParameters.filter { $0.key == "zone" }.map { String($0.value) }
        guard !names.isEmpty, names.count <= Self.most else {
            throw Answer(400, "the query names one to \(Self.most) zones")
        }
        let zones = try names.map { name in
            guard let zone = ZoneName(name, caller: caller.user) else {
                throw Answer(400, "the query has no name of a zone")
            }
            return zone
        }
        let wait = try request.values["wait"].map(Self.seconds)
        // It listens first, so that no push falls between the heads and the stream.
        let subscription = try service.pokes.listen(
            to: Set(zones), as: caller.user, atMost: service.limits.live,
            until: wait.map { .now + .seconds($0) })
        let watch = hangups.watch(context.channel) { [metrics] in
            metrics.noteHangup()
            subscription.end()
        }
        defer { withExtendedLifetime(watch) {} }
        var heads = try await service.heads(of: zones, by: caller)
        if let wait {
            metrics.setLive(service.pokes.count)
            defer {
                subscription.end()
                metrics.setLive(service.pokes.count)
            }
            let isKnown = request.values["after"] == String(ZoneHeads(heads, for: caller).number)
            if isKnown, wait > 0 {
                let news = await news(behind: heads, subscription)
                // All who listen hear of a push at once, so that none of them asks the database. One that has heard
                // nothing does, in case that news were lost.
                heads =
                    news.isEmpty
                    ? try await service.heads(of: zones, by: caller) : heads.map { news[$0.zone] ?? $0 }
            }
            return Response(ZoneHeads(heads, for: caller).wire, to: request)
        }
        return Response(
            status: .ok,
            headers: HTTPFields([
                HTTPField(name: .contentType, value: "text/event-stream"),
                HTTPField(name: .cacheControl, value: "no-store"),
                // Proxies that know the field do not hold the stream back.
                HTTPField(name: HTTPField.Name("X-Accel-Buffering")!, value: "no"),
            ]), body: body(heads, subscription, watch, caller))
    }

    private func body(
        _ heads: [Poke], _ subscription: PokeHub.Subscription, _ watch: Hangups.Watch, _ caller: Caller
    ) -> ResponseBody {
        ResponseBody { [service, metrics] writer in
            metrics.setLive(service.pokes.count)
            defer {
                withExtendedLifetime(watch) {}
                subscription.end()
                metrics.setLive(service.pokes.count)
            }
            try await writer.write(Self.text(heads, caller))
            for await _ in subscription.signals {
                if let end = caller.end, end <= service.milliseconds { break }
                let news = subscription.take()
                try await writer.write(Self.text(news.pokes, caller))
                metrics.note(news)
            }
            try await writer.finish(nil)
        }
    }

    /// The seconds of one wait.
    private static let longest = 60

    private static func seconds(_ text: String) throws -> Int {
        guard let seconds = Int(text), (0...longest).contains(seconds) else {
            throw Answer(400, "wait is a number of seconds up to \(longest)")
        }
        return seconds
    }

    /// Waits until zones stand elsewhere than a device has seen them. Returns where they stand, which is nothing once the
    /// subscription has ended.
    private func news(
        behind heads: [Poke], _ subscription: PokeHub.Subscription
    ) async -> [ZoneName: Poke] {
        let known = Dictionary(heads.map { ($0.zone, $0) }, uniquingKeysWith: { $1 })
        for await _ in subscription.signals {
            // A push may be announced after its number was read.
            let news = subscription.take()
            let unknown = news.pokes.filter { $0.isNews(behind: known[$0.zone]) }
            guard !unknown.isEmpty else { continue }
            metrics.note(news)
            return Dictionary(unknown.map { ($0.zone, $0) }) { $1 }
        }
        return [:]
    }

    /// Returns pokes as events; a comment, as a sign of life, if there are none.
    static func text(_ pokes: [Poke], _ caller: Caller) -> ByteBuffer {
        guard !pokes.isEmpty else { return ByteBuffer(string: ":\n\n") }
        return ByteBuffer(
            string: pokes.map { poke in
                "event: poke\ndata: \(poke.head(for: caller).wire.json.line)\n\n"
            }.joined())
    }
}

extension ZoneHeads {
    fileprivate init(_ pokes: [Poke], for caller: Caller) {
        self.init(pokes.map { $0.head(for: caller) })
    }
}

extension Poke {
    fileprivate func head(for caller: Caller) -> ZoneHeads.Head {
        ZoneHeads.Head(zone: zone.text(for: caller.user), epoch: epoch, sequence: sequence)
    }
}
#endif
