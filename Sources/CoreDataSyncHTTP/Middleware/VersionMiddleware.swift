#if SyncServer
import CoreDataSyncCore
import CoreDataSyncServer
import HTTPTypes
import Hummingbird

/// Sends apps away that are older than the operator wants, and those that do not tell their version.
struct VersionMiddleware: RouterMiddleware {
    let minimum: AppVersion

    private static let version = HTTPField.Name(HeaderFields.appVersion)!
    private static let minimumField = HTTPField.Name(HeaderFields.minimumVersion)!

    func handle(
        _ request: Request, context: SyncContext, next: (Request, SyncContext) async throws -> Response
    ) async throws -> Response {
        if let version = request.headers[Self.version].flatMap({ AppVersion($0) }), version >= minimum {
            return try await next(request, context)
        }
        var response = Answer(426, "the app must have version \(minimum) at least").response(to: request)
        response.headers[Self.minimumField] = minimum.description
        return response
    }
}
#endif
