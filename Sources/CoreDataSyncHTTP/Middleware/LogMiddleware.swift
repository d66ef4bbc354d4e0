#if SyncServer
import Hummingbird
import Logging

/// Answers errors, and logs each request in a line: what was asked, with what status, and how long it took. No
/// values: neither bodies nor queries.
///
/// A request that is held keeps some four kilobytes for each middleware that it has gone through, of which there are
/// therefore few.
struct LogMiddleware: RouterMiddleware {
    let logger: Logger
    let metrics: ServerMetrics

    /// Routes that are asked without end.
    private static let quiet: Set = ["/healthz", "/metrics", "/v1/live"]

    func handle(
        _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response: Response
        do {
            response = try await next(request, context)
        } catch {
            response = Answer(error, logger).response(to: request)
        }
        let duration = ContinuousClock.now - start
        let route = context.endpointPath ?? "other"
        let status = response.status.code
        // Streams have no length; they are short texts.
        metrics.noteBytes(sent: response.body.contentLength ?? 0)
        metrics.noteRequest(request.method.rawValue, route, status: status, duration)
        logger.log(
            level: status >= 500 ? .error : Self.quiet.contains(route) ? .debug : .info,
            "\(request.method.rawValue) \(request.uri.path.prefix(200))",
            metadata: [
                "status": "\(status)",
                "milliseconds": "\(Int(duration / .milliseconds(1)))",
            ])
        return response
    }
}
#endif
