#if SyncServer
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncServer
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// A stream of pokes (server-sent events): which zones have news. Data always comes by pulling, so a poke
/// that is lost costs time only.
struct LiveRoute: Sendable {
    let service: SyncService
    let metrics: ServerMetrics

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
        // It listens first, so that no push falls between the heads and the stream.
        let subscription = try service.pokes.listen(
            to: Set(zones), as: caller.user, atMost: service.limits.live)
        let heads = try await service.heads(of: zones, by: caller)
        return Response(
            status: .ok,
            headers: HTTPFields([
                HTTPField(name: .contentType, value: "text/event-stream"),
                HTTPField(name: .cacheControl, value: "no-store"),
                // Proxies that know the field do not hold the stream back.
                HTTPField(name: HTTPField.Name("X-Accel-Buffering")!, value: "no"),
            ]), body: body(heads, subscription, caller))
    }

    private func body(
        _ heads: [Poke], _ subscription: PokeHub.Subscription, _ caller: Caller
    ) -> ResponseBody {
        ResponseBody { [service, metrics] writer in
            metrics.setLive(service.pokes.count)
            defer {
                subscription.end()
                metrics.setLive(service.pokes.count)
            }
            try await writer.write(Self.text(heads, caller))
            // The server waits for its streams when it is asked to end.
            for await _ in subscription.signals.cancelOnGracefulShutdown() {
                if let end = caller.end, end <= service.milliseconds { break }
                try await writer.write(Self.text(subscription.take(), caller))
            }
            try await writer.finish(nil)
        }
    }

    /// Returns pokes as events; a comment, as a sign of life, if there are none.
    static func text(_ pokes: [Poke], _ caller: Caller) -> ByteBuffer {
        guard !pokes.isEmpty else { return ByteBuffer(string: ":\n\n") }
        return ByteBuffer(
            string: pokes.map { poke in
                let message = WireValue.object([
                    "zone": .text(poke.zone.text(for: caller.user)), "epoch": .integer(Int64(poke.epoch)),
                    "sequence": .integer(Int64(poke.sequence)),
                ])
                return "event: poke\ndata: \(message.json.line)\n\n"
            }.joined())
    }
}
#endif
