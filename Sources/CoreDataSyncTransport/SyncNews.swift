import CoreDataSyncCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SyncHTTPClient {
    /// Listens to the server until the stream is released: an element whenever the zone stands elsewhere than it was
    /// last seen, the first of them once the server has answered. The request that waits then ends at the server, and
    /// its answer is dropped.
    ///
    /// - Parameters:
    ///   - pause: Waits so many seconds between two requests.
    ///   - now: Returns the time, which says whether an answer was held.
    package func news(
        pausing pause: @escaping @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        },
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                let session = listeningSession()
                defer { session.finishTasksAndInvalidate() }
                var poll = NewsPoll()
                while !Task.isCancelled {
                    if await ask(&poll, in: session, now) { continuation.yield() }
                    guard (try? await pause(poll.pause(.random(in: 0.5...1)))) != nil else { break }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Makes a session with one connection, which all requests of a listener use.
    private func listeningSession() -> URLSession {
        let configuration = session.configuration
        configuration.httpMaximumConnectionsPerHost = 1
        configuration.timeoutIntervalForRequest = max(
            configuration.timeoutIntervalForRequest, Double(NewsPoll.hold + 30))
        return URLSession(configuration: configuration)
    }

    /// Sends one request, and notes what comes of it. Returns whether there are news.
    private func ask(
        _ poll: inout NewsPoll, in session: URLSession, _ now: () -> ContinuousClock.Instant
    ) async -> Bool {
        let start = now()
        do {
            try self.pause.check()
            var query = ["zone": zone, "wait": String(poll.wait)]
            query["after"] = poll.heads.map { String($0.number) }
            var request = try await request(to: ["live"], query: query)
            request.setValue("application/cbor", forHTTPHeaderField: "Accept")
            request.timeoutInterval = session.configuration.timeoutIntervalForRequest
            let (data, response) = try await load(request, in: session)
            guard response.statusCode == 200 else { throw SyncHTTPError(response, [UInt8](data)) }
            let heads = try ZoneHeads(wire: CBORReader.read([UInt8](data), limits: .trusted))
            let connection = response.value(forHTTPHeaderField: "Connection")?.lowercased()
            return poll.note(heads, keepsConnection: connection != "close", after: now() - start)
        } catch {
            poll.noteFailure(retryAfter: (error as? SyncHTTPError)?.retryAfter)
            return false
        }
    }
}
