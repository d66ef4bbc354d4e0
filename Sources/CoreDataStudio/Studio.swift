import CoreDataJSON
package import CoreDataStudioInterface
import CoreDataTool

/// What `coredata studio` has open, and the answers to what its page asks.
package final class Studio: Sendable {
    package let options: StudioOptions
    package let events = EventLog()
    private let models: OpenModels
    private let stores: StoreSessions
    private let profiles: OpenProfiles
    private let tasks: StudioTasks

    /// Opens the files that the options name.
    package init(_ options: StudioOptions) throws {
        self.options = options
        let files = Dictionary(grouping: options.files, by: FileKind.init)
        models = try OpenModels(files[.model] ?? [], options, events: events)
        tasks = StudioTasks(events)
        profiles = try OpenProfiles(files[.profile] ?? [])
        stores = try StoreSessions(
            files[.store] ?? [], models: (files[.model] ?? []) + (files[.compiledModel] ?? []), options,
            events: events, tasks: tasks)
    }

    /// Closes what is open.
    package func close() {
        stores.close()
    }

    package func answer(_ request: StudioRequest) async -> StudioResponse {
        do {
            return try await route(request)
        } catch let failure as StudioFailure {
            return failure.response
        } catch {
            return StudioFailure(.failed, ErrorText.describe(error)).response
        }
    }

    /// Looks at the files of models and stores at once, as is done by itself from time to time.
    package func look() async {
        await models.look()
        await stores.look()
    }

    private func route(_ request: StudioRequest) async throws -> StudioResponse {
        switch (request.method, request.path.first) {
        case (.get, "events") where request.path.count == 1:
            let after = request.query["after"].flatMap { Int($0) } ?? 0
            return StudioResponse(.parts(events.stream(after: after), type: .events))
        case (.get, "documents") where request.path.count == 1:
            return .json(await documents)
        case (_, "models"):
            return try await models.answer(request) { [stores] in stores.url(of: $0) }
        case (_, "stores"): return try await stores.answer(request, request.path.dropFirst())
        case (_, "profiles"): return try await profiles.answer(request, request.path.dropFirst())
        case (_, "tasks"): return try tasks.answer(request, request.path.dropFirst())
        default:
            throw StudioFailure(.notFound, "there is no \(request.path.joined(separator: "/"))")
        }
    }

    /// What is open, and what may be written.
    private var documents: JSONValue {
        get async {
            .object([
                .init("isReadOnly", .boolean(options.isReadOnly)),
                .init("mayEditStores", .boolean(options.mayEditStores)),
                .init("models", await models.documents), .init("stores", stores.summaries),
                .init("profiles", profiles.summaries),
            ])
        }
    }
}
