import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The recorded profiles that the studio has open.
final class OpenProfiles: Sendable {
    private let sessions: [ProfileSession]

    /// - Throws: The error of the first profile that cannot be read.
    init(_ files: [URL]) throws {
        sessions = try files.enumerated().map { index, url in try ProfileSession("p\(index + 1)", at: url)
        }
    }

    var summaries: JSONValue { .array(sessions.map(\.summary)) }

    /// Answers a request: the parts of its path behind `profiles`.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) async throws -> StudioResponse {
        guard let id = path.first, let session = sessions.first(where: { $0.id == id }) else {
            throw StudioFailure(.notFound, "there is no profile \(path.first ?? "")")
        }
        return try await session.answer(request, path.dropFirst())
    }
}
