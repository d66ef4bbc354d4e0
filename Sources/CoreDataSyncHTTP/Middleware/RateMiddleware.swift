#if SyncServer
import CoreDataSyncServer
import HTTPTypes
import Hummingbird

/// Takes each request, and the bytes that it announces, from the user's budget.
struct RateMiddleware: RouterMiddleware {
    let limiter: RateLimiter
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
        return try await next(request, context)
    }
}
#endif
