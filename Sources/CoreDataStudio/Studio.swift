import CoreDataJSON
package import CoreDataStudioInterface
import CoreDataTool

/// What `coredata studio` has open, and the answers to what its page asks.
package final class Studio: Sendable {
    package let options: StudioOptions
    package let events = EventLog()
    private let models: OpenModels

    /// Opens the files that the options name.
    package init(_ options: StudioOptions) throws {
        self.options = options
        models = try OpenModels(options, events: events)
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

    /// Looks at the files that are open, as is done from time to time.
    package func look() async { await models.look() }

    private func route(_ request: StudioRequest) async throws -> StudioResponse {
        switch (request.method, request.path.first) {
        case (.get, "events") where request.path.count == 1:
            let after = request.query["after"].flatMap { Int($0) } ?? 0
            return StudioResponse(.parts(events.stream(after: after), type: .events))
        case (.get, "documents") where request.path.count == 1:
            return .json(await documents)
        case (_, "models"):
            return try await models.answer(request, store: { _ in nil })
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
                .init("models", await models.documents),
            ])
        }
    }
}
