import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The models that the studio has open, and the look at their files from time to time.
final class OpenModels: Sendable {
    private let sessions = DocumentList<ModelSession>()
    private let options: StudioOptions
    private let events: EventLog
    private let looking: Task<Void, Never>?

    init(_ options: StudioOptions, events: EventLog) {
        (self.options, self.events) = (options, events)
        looking = sessions.look(every: options.lookInterval) { await Self.look($0) }
    }

    deinit { looking?.cancel() }

    /// Opens a model, and returns its ID.
    func open(_ url: URL) throws -> String {
        try sessions.open { number in
            try ModelSession(
                "m\(number)", url, isReadOnly: options.isReadOnly, recoveryFolder: options.stateFolder,
                events: events, now: options.now)
        }.id
    }

    /// The files of the open models.
    var files: [URL] { sessions.all.map(\.url) }

    /// What is open, for the list of documents.
    var documents: JSONValue {
        get async {
            var documents: [JSONValue] = []
            for session in sessions.all { documents.append(await session.summary) }
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

    private func session(_ id: String) -> ModelSession? { sessions.all.first { $0.id == id } }

    /// Looks at the files of all models, and keeps what is unsaved.
    func look() async { await Self.look(sessions.all) }

    private static func look(_ sessions: [ModelSession]) async {
        for session in sessions { await session.look() }
    }
}
