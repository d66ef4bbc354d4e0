import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The models that the studio has open, and the look at their files from time to time.
final class OpenModels: Sendable {
    private let sessions: [ModelSession]
    private let looking: Task<Void, Never>?

    init(_ files: [URL], _ options: StudioOptions, events: EventLog) throws {
        sessions = try files.enumerated().map { index, url in
            try ModelSession(
                "m\(index + 1)", url, isReadOnly: options.isReadOnly, recoveryFolder: options.stateFolder,
                events: events, now: options.now)
        }
        guard let interval = options.lookInterval else {
            looking = nil
            return
        }
        looking = Task { [sessions] in
            // The task ends by being cancelled, which ends the sleep.
            while (try? await Task.sleep(for: interval)) != nil {
                await Self.look(sessions)
            }
        }
    }

    deinit { looking?.cancel() }

    /// What is open, for the list of documents.
    var documents: JSONValue {
        get async {
            var documents: [JSONValue] = []
            for session in sessions { documents.append(await session.summary) }
            return .array(documents)
        }
    }

    /// Answers a request below `/api/models`.
    ///
    /// - Parameter store: Returns the place of an open store.
    func answer(
        _ request: StudioRequest, store: @escaping @Sendable (String) -> URL?
    ) async throws -> StudioResponse {
        guard request.path.count > 1, let session = session(request.path[1]) else {
            throw StudioFailure(.notFound, "there is no model \(request.path.dropFirst().first ?? "")")
        }
        return try await ModelInterface(session: session, store: store)
            .answer(request, request.path.dropFirst(2))
    }

    func session(_ id: String) -> ModelSession? { sessions.first { $0.id == id } }

    /// Looks at the files of all models, and keeps what is unsaved.
    func look() async { await Self.look(sessions) }

    private static func look(_ sessions: [ModelSession]) async {
        for session in sessions { await session.look() }
    }
}
