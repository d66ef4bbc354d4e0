#if SyncServer
import CoreDataSyncServer
import HTTPTypes
import Hummingbird
import NIOCore

/// What those ask who keep the server running.
struct OperationRoutes: Sendable {
    let service: SyncService
    let metrics: ServerMetrics
    let text: MetricsText
    /// The SHA-256 of the token that reads metrics.
    let digest: [UInt8]?

    func add(to router: Router<SyncContext>) {
        router.get("healthz", use: health)
        // Without a token for them, metrics are not there.
        if let digest {
            let tokens = StaticTokens([StaticTokens.Entry(digest: digest, caller: Caller(user: "metrics"))])
            router.get("metrics") { request, _ in try await show(request, tokens) }
        }
    }

    @Sendable private func health(_ request: Request, _ context: SyncContext) async throws -> Response {
        do {
            try await service.check()
        } catch {
            throw Answer(503, "the database does not answer", retryAfter: 5)
        }
        return plain("ok\n")
    }

    private func show(_ request: Request, _ tokens: StaticTokens) async throws -> Response {
        guard let token = request.bearerToken, tokens.caller(of: token) != nil else {
            throw Answer(401, "metrics have a token of their own")
        }
        // A database that does not answer is a reason to look at the rest.
        if let figures = try? await service.figures() { metrics.set(figures) }
        return plain(text.text)
    }

    private func plain(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: HTTPFields([
                HTTPField(name: .contentType, value: "text/plain; charset=utf-8"),
                HTTPField(name: .cacheControl, value: "no-store"),
            ]), body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
#endif
