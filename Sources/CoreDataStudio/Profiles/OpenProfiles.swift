import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The recorded profiles that the studio has open.
final class OpenProfiles: Sendable {
    private let sessions = DocumentList<ProfileSession>()

    /// Opens a profile, and returns its ID.
    func open(_ url: URL) throws -> String {
        try sessions.open { try ProfileSession("p\($0)", at: url) }.id
    }

    /// The files of the open profiles.
    var files: [URL] { sessions.all.map(\.url) }

    var summaries: JSONValue { .array(sessions.all.map(\.summary)) }

    /// Answers a request: the parts of its path behind `profiles`.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) async throws -> StudioResponse {
        guard let id = path.first, let session = sessions.all.first(where: { $0.id == id }) else {
            throw StudioFailure(.notFound, "there is no profile \(path.first ?? "")")
        }
        return try await session.answer(request, path.dropFirst())
    }
}
