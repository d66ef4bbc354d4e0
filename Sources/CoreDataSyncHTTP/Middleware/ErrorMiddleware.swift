#if SyncServer
import CoreDataSyncServer
import Hummingbird
import Logging

/// Turns errors into answers. What went wrong in the server itself is logged, and not told.
struct ErrorMiddleware: RouterMiddleware {
    let logger: Logger

    func handle(
        _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let answer as Answer {
            return answer.response(to: request)
        } catch let error as HTTPError {
            return Answer(error.status.code, error.body ?? error.status.reasonPhrase).response(to: request)
        } catch is CancellationError {
            return Answer(.busy).response(to: request)
        } catch {
            let (error, note) = ServiceError.sorted(error)
            if let note { logger.error("A request failed", metadata: ["error": "\(note)"]) }
            return Answer(error).response(to: request)
        }
    }
}
#endif
