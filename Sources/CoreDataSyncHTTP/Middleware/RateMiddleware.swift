#if SyncServer
import CoreDataSyncServer
import HTTPTypes
import Hummingbird

/// Takes each request, and the bytes that it announces, from the user's budget.
struct RateMiddleware: RouterMiddleware {
    let limiter: RateLimiter

    func handle(
        _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
        let user = try context.authenticated().user
        try limiter.take(1, of: .requests, for: user)
        let announced = request.headers[.contentLength].flatMap(Int.init) ?? 0
        if announced > 0 { try limiter.take(announced, of: .bytes, for: user) }
        return try await next(request, context)
    }
}
#endif
