import CoreDataJSON
package import CoreDataStudioInterface
import CoreDataTool
import Foundation
import Synchronization

/// What `coredata studio` has open, and the answers to what its page asks.
package final class Studio: Sendable {
    package let options: StudioOptions
    package let events = EventLog()
    let models: OpenModels
    let stores: StoreSessions
    let profiles: OpenProfiles
    private let tasks: StudioTasks
    private let work: RunningWork
    let recent: RecentFiles
    private let preferences: Preferences
    private let notOpened = Mutex<[String]>([])

    /// Why files that the options name could not be opened.
    package var failures: [String] { notOpened.withLock { $0 } }

    /// Opens the files that the options name. Those that cannot be opened are noted in `failures`.
    ///
    /// - Throws: The last failure, if none can be opened.
    package init(_ options: StudioOptions) throws {
        self.options = options
        work = RunningWork(events)
        tasks = StudioTasks(events, work)
        models = OpenModels(options, events: events)
        profiles = OpenProfiles()
        stores = StoreSessions(options, events: events, tasks: tasks, work: work)
        recent = RecentFiles(in: options.stateFolder)
        preferences = Preferences(in: options.stateFolder)
        let files = options.files.filter { FileKind($0) != .compiledModel }
        // Stores may need the models.
        let ordered = files.filter { FileKind($0) != .store } + files.filter { FileKind($0) == .store }
        var opened: [URL] = []
        for file in ordered {
            do {
                _ = try open(file)
                opened.append(file)
            } catch {
                if opened.isEmpty, file == ordered.last { throw error }
                notOpened.withLock { $0.append(ErrorText.describe(error)) }
            }
        }
        if !options.isReadOnly { recent.note(files.filter(opened.contains)) }
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
        case (.get, "recent") where request.path.count == 1: return .json(recentFiles)
        case (.post, "recent") where request.path.count == 2:
            return .json(try await openRecent(request.path[1]))
        case (.post, "preferences") where request.path.count == 1:
            guard let name = try RequestFields(request).text("name") else {
                throw StudioFailure(.malformed, "a preference has a \"name\"")
            }
            try preferences.set(name, to: request.body["value"] ?? .null)
            return .json(.null)
        case (.post, "models") where request.path.count == 1:
            return .json(try await openNewModel(RequestFields(request).text("name")))
        case (_, "models"):
            return try await models.answer(request) { [stores] in stores.url(of: $0) }
        case (_, "stores"): return try await stores.answer(request, request.path.dropFirst())
        case (_, "profiles"): return try await profiles.answer(request, request.path.dropFirst())
        case (_, "work"): return try work.answer(request, request.path.dropFirst())
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
                .init("root", .string(options.root.path)), .init("preferences", preferences.all),
                .init("mayEditStores", .boolean(options.mayEditStores)),
                .init("models", await models.documents), .init("stores", stores.summaries),
                .init("profiles", profiles.summaries),
                .init("failures", .array(failures.map { .string($0) })),
            ])
        }
    }
}
