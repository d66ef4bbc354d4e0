#if SyncServer
import CoreDataSyncCore
import CoreDataSyncServer
import Hummingbird
import Logging

/// The verbs of a zone.
struct ZoneRoutes: Sendable {
    let service: SyncService
    let limiter: RateLimiter
    let metrics: ServerMetrics
    let logger: Logger
    let hangups: Hangups

    func add(to group: RouterGroup<SyncContext>) {
        group.post("hello", use: hello)
        for verb in ["push", "reconcile", "task"] {
            group.post("zones/:zone/\(verb)") { try await sync(verb, $0, $1) }
        }
        for verb in ["changes", "snapshot"] {
            group.get("zones/:zone/\(verb)") { try await sync(verb, $0, $1) }
        }
        group.get("zones/:zone/issues", use: issues)
        group.post("zones/:zone/restore", use: restore)
    }

    @Sendable private func hello(_ request: Request, _ context: SyncContext) async throws -> Response {
        let hello = try HelloRequest(wire: try await request.message(service.limits))
        let answer = try await service.hello(hello, by: try context.authenticated())
        return Response(answer.wire, to: request)
    }

    private func sync(_ verb: String, _ request: Request, _ context: SyncContext) async throws -> Response {
        let (zone, caller) = (try context.zone(), try context.authenticated())
        let body = request.method == .post ? try await request.message(service.limits) : nil
        let call = SyncCall(verb: verb, query: request.values, body: body)
        guard let message = try SyncRequest(call) else { throw Answer(404, "there is no verb \(verb)") }
        if case .push(let push) = message {
            try limiter.take(push.changes.count, of: .changes, for: caller.user)
        }
        let response = try await hangups.watching(context.channel, metrics) { isAwaited in
            try await service.answer(message, in: zone, by: caller, isAwaited: isAwaited)
        }
        metrics.note(response)
        log(message, response, zone)
        var status = 200
        if case .refused(let refusal) = response.answer { status = refusal.status }
        return Response(response.wire, status, to: request)
    }

    /// Logs who pushed how much where, and refusals; no values.
    private func log(_ request: SyncRequest, _ response: SyncResponse, _ zone: ZoneName) {
        switch (request, response.answer) {
        case (.push(let push), .push(let answer)):
            logger.debug(
                "Pushed",
                metadata: [
                    "zone": "\(zone)", "device": "\(push.replica)", "changes": "\(push.changes.count)",
                    "sequence": "\(answer.sequence)",
                ])
        case (.push(let push), .refused(let refusal)):
            logger.info(
                "Refused",
                metadata: ["zone": "\(zone)", "device": "\(push.replica)", "reason": "\(refusal.kind)"])
        default: break
        }
    }

    @Sendable private func issues(_ request: Request, _ context: SyncContext) async throws -> Response {
        let call = SyncCall(verb: "issues", query: request.values)
        let place = LogPlace(
            sequence: try call.number("since", standard: 0), entry: try call.number("entry", standard: 0))
        let page = try await service.losses(
            in: try context.zone(), behind: place,
            limit: Int(clamping: try call.number("limit", standard: 1000)), by: try context.authenticated())
        return Response(page.wire, to: request)
    }

    @Sendable private func restore(_ request: Request, _ context: SyncContext) async throws -> Response {
        let (zone, caller) = (try context.zone(), try context.authenticated())
        let message = try RestoreRequest(wire: try await request.message(service.limits))
        return Response(try await service.restore(message, in: zone, by: caller).wire, to: request)
    }
}
#endif
