#if SyncServer
import CoreDataSyncServer
import HTTPTypes
import Hummingbird

/// Lets in who has a token, and notes whose it is. An address that has sent many wrong ones has to wait before one is
/// looked at again: to check a signature takes time.
struct TokenMiddleware: RouterMiddleware {
    let tokens: TokenVerifier
    let limiter: RateLimiter

    func handle(
        _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
        try limiter.check(.failures, for: context.address)
        guard let token = request.bearerToken, let caller = await tokens.caller(of: token) else {
            try limiter.take(1, of: .failures, for: context.address)
            throw Answer(401, request.bearerToken == nil ? "a token is missing" : "the token is not valid")
        }
        var context = context
        context.caller = caller
        return try await next(request, context)
    }
}

extension Request {
    /// The token of the field `Authorization: Bearer …`.
    var bearerToken: String? {
        guard let field = headers[.authorization] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 8192 else {
            return nil
        }
        return String(parts[1])
    }
}
#endif
