#if SyncServer
import CoreDataSyncServer
import HTTPTypes
import Hummingbird

/// Takes each request, and the bytes that it announces, from the user's budget, and lets a user have only so many answers
/// on their way.
struct RateMiddleware: RouterMiddleware {
    let limiter: RateLimiter
    let slots: AnswerSlots
    let metrics: ServerMetrics
    /// The bytes of the largest body. One that is announced to be larger is refused by its route, and costs no more.
    let largest: Int

    func handle(
        _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
        let user = try context.authenticated().user
        try limiter.take(1, of: .requests, for: user)
        let announced = min(request.announcedBytes, largest)
        if announced > 0 {
            try limiter.take(announced, of: .bytes, for: user)
            metrics.noteBytes(received: announced)
        }
        // Requests that wait for news have a limit of their own, `live`.
        if context.endpointPath == "/v1/live" { return try await next(request, context) }
        let slot = try slots.take(for: user)
        var response = try await next(request, context)
        // The slot is free once the body is written, or given up with its connection.
        let body = response.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            defer { withExtendedLifetime(slot) {} }
            try await body.write(writer)
        }
        return response
    }
}
#endif
