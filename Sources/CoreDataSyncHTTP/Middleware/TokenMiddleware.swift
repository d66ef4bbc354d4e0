#if SyncServer
import CoreDataSyncServer
import HTTPTypes
import Hummingbird

/// Lets in who has a token, and notes whose it is.
struct TokenMiddleware: RouterMiddleware {
    let tokens: TokenVerifier

    func handle(
        _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
        guard let token = request.bearerToken else { throw Answer(401, "a token is missing") }
        guard let caller = await tokens.caller(of: token) else { throw Answer(401, "the token is not valid") }
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
