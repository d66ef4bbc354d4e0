import CoreDataJSON
import CoreDataStudioInterface
import CoreDataTool
import Foundation

/// The open stores, by their names in addresses.
package final class StoreSessions: Sendable {
    package let sessions: [StoreSession]
    private let tasks: StudioTasks
    private let mayWriteFiles: Bool
    private let looking: Task<Void, Never>?

    /// - Parameter models: The models that were opened with the stores.
    /// - Throws: The error of the first store that cannot be opened.
    init(
        _ files: [URL], models: [URL], _ options: StudioOptions, events: EventLog, tasks: StudioTasks
    ) throws {
        self.tasks = tasks
        mayWriteFiles = !options.isReadOnly
        var sessions: [StoreSession] = []
        for (index, url) in files.enumerated() {
            sessions.append(try Self.open("s\(index + 1)", url, models, options, events))
        }
        self.sessions = sessions
        let files = sessions.filter(\.rows.isWholeFile)
        guard let interval = options.lookInterval, !files.isEmpty else {
            looking = nil
            return
        }
        looking = Task {
            // The task ends by being cancelled, which ends the sleep.
            while (try? await Task.sleep(for: interval)) != nil { await Self.look(files) }
        }
    }

    deinit { looking?.cancel() }

    /// Looks at the files that are read as a whole, as is done by itself from time to time.
    func look() async { await Self.look(sessions.filter(\.rows.isWholeFile)) }

    private static func look(_ sessions: [StoreSession]) async {
        for session in sessions { try? await Blocking.run { session.look() } }
    }

    /// Opens a store with the model that the options name, or else with its own. A store that carries none gets
    /// the first of the opened models that it was made with.
    private static func open(
        _ id: String, _ url: URL, _ models: [URL], _ options: StudioOptions, _ events: EventLog
    ) throws -> StoreSession {
        func session(_ model: URL?) throws -> StoreSession {
            try StoreSession(
                id, at: url, model: model, mayEdit: options.mayEditStores && !options.isReadOnly,
                makesBackup: options.makesBackup, events: events)
        }
        do {
            return try session(options.model)
        } catch let error as ToolError {
            for model in models where options.model == nil {
                if let session = try? session(model) { return session }
            }
            throw error
        }
    }

    /// Closes all stores. Only then does SQLite remove their logs.
    package func close() {
        looking?.cancel()
        for session in sessions { session.close() }
    }

    /// Returns the place of a store by its ID.
    func url(of id: String) -> URL? { sessions.first { $0.id == id }?.url }

    var summaries: JSONValue { .array(sessions.map(\.summary)) }

    /// Answers a request: the parts of its path behind `stores`.
    func answer(_ request: StudioRequest, _ path: ArraySlice<String>) async throws -> StudioResponse {
        guard let id = path.first, let session = sessions.first(where: { $0.id == id }) else {
            throw StudioFailure(.notFound, "there is no store \(path.first ?? "")")
        }
        return try await StoreInterface(session: session, tasks: tasks, mayWriteFiles: mayWriteFiles)
            .answer(request, path.dropFirst())
    }
}
