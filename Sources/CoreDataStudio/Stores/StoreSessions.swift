import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The open stores, by their names in addresses.
final class StoreSessions: Sendable {
    private let sessions = DocumentList<StoreSession>()
    private let options: StudioOptions
    private let events: EventLog
    private let tasks: StudioTasks
    private let work: RunningWork
    private let looking: Task<Void, Never>?

    init(_ options: StudioOptions, events: EventLog, tasks: StudioTasks, work: RunningWork) {
        (self.options, self.events, self.tasks, self.work) = (options, events, tasks, work)
        looking = sessions.look(every: options.lookInterval) { await Self.look($0) }
    }

    deinit { looking?.cancel() }

    /// Looks at the files that are read as a whole, as is done by itself from time to time.
    func look() async { await Self.look(sessions.all) }

    private static func look(_ sessions: [StoreSession]) async {
        for session in sessions where session.rows.isWholeFile {
            try? await Blocking.run { session.look() }
        }
    }

    /// Opens a store with the model that the options name, or else with its own, and returns its ID. A store that
    /// carries none gets the first of the opened models that it was made with.
    func open(_ url: URL, models: [URL]) throws -> String {
        try sessions.open { number in
            func session(_ model: URL?) throws -> StoreSession {
                try StoreSession(
                    "s\(number)", at: url, model: model,
                    mayEdit: options.mayEditStores && !options.isReadOnly,
                    makesBackup: options.makesBackup, events: events, work: work)
            }
            do {
                return try session(options.model)
            } catch let error as ToolError {
                for model in models where options.model == nil {
                    if let session = try? session(model) { return session }
                }
                throw error
            }
        }.id
    }

    /// The places of the open stores.
    var files: [URL] { sessions.all.map(\.url) }

    /// Closes all stores. Only then does SQLite remove their logs.
    func close() {
        looking?.cancel()
        for session in sessions.all { session.close() }
    }

    /// Returns the place of a store by its ID.
    func url(of id: String) -> URL? { sessions.all.first { $0.id == id }?.url }

    var summaries: JSONValue { .array(sessions.all.map(\.summary)) }

    /// Answers a request: the parts of its path behind `stores`.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) async throws -> StudioResponse {
        guard let id = path.first, let session = sessions.all.first(where: { $0.id == id }) else {
            throw StudioFailure(.notFound, "there is no store \(path.first ?? "")")
        }
        return try await StoreInterface(session: session, tasks: tasks, mayWriteFiles: !options.isReadOnly)
            .answer(request, path.dropFirst())
    }
}
