#if SyncServer
import CoreDataJSON
import CoreDataSyncCore
import CoreDataSyncHTTP
import CoreDataSyncServer
import CoreDataSyncTransport
import Foundation
import FoundationNetworking
import Logging

/// A server on loopback, at a port that the system gives.
struct LiveServer {
    static let annasToken = "the-secret-token-of-anna"
    static let bensToken = "the-secret-token-of-ben-"
    /// Of a user whose name has what a path cannot have.
    static let oddToken = "the-secret-token-of-odd-"
    static let oddUser = "auth0|jürgen/x 100%"

    let url: URL
    let folder: String

    /// Runs a server while `body` uses it.
    ///
    /// - Parameters:
    ///   - settings: Members of the configuration besides the tokens of three users.
    ///   - now: The server's clock.
    static func run(
        _ settings: String = "", now: @escaping @Sendable () -> UInt64 = SyncService.present,
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let folder = "\(FileManager.default.temporaryDirectory.path)/syncd-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try DataFolder(folder).make()
        let json = """
            {"data": "\(folder)", "listen": "127.0.0.1:0", "metricsToken": "the-secret-token-of-ops",
             "tokens": [{"user": "anna", "token": "\(annasToken)"}, {"user": "ben", "token": "\(bensToken)"},
                        {"user": "\(oddUser)", "token": "\(oddToken)"}]
             \(settings.isEmpty ? "" : "," + settings.replacing("FOLDER", with: folder))}
            """
        let configuration = try ServerSettings(try JSONParser.parse(json), environment: [:])
        var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .critical
        let server = try await SyncHTTPServer(configuration, logger: logger, now: now)
        let scheme = configuration.tls == nil ? "http" : "https"
        let (ports, found) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await server.run(takesSignals: false) { found.yield($0) }
            }
            group.addTask {
                for await port in ports {
                    let host = scheme == "https" ? "localhost" : "127.0.0.1"
                    try await body(
                        LiveServer(url: URL(string: "\(scheme)://\(host):\(port)")!, folder: folder))
                    return
                }
            }
            // Either the body is done, or the server has failed.
            try await group.next()
            group.cancelAll()
        }
    }

    // MARK: Devices

    func client(_ zone: String = "Library", _ token: String = LiveServer.annasToken) -> SyncHTTPClient {
        SyncHTTPClient(server: url, zone: zone, configuration: Self.patience) { token }
    }

    /// Waits for an answer as long as it takes: beside other tests and other programs that may be minutes.
    static var patience: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3600
        return configuration
    }

    func hello() async throws {
        _ = try await client().hello(HelloRequest(replica: nil, name: "test", model: TestModel.library))
    }

    static func device(_ number: UInt64) -> SyncID { SyncID(high: 2, low: number) }
    static func id(_ number: UInt64) -> SyncID { SyncID(high: 3, low: number) }

    /// Makes changes that insert a book.
    static func book(_ id: UInt64, _ title: String, by device: UInt64) -> [Change] {
        let stamp = Stamp(
            time: HybridTime(milliseconds: UInt64(Date().timeIntervalSince1970 * 1000)),
            replica: Self.device(device))
        return [Change.Edit.existence(1, seen: 0), .set("title", .string(title))].map {
            Change(number: 1, item: .object(Self.id(id)), entity: "Book", edit: $0, stamp: stamp)
        }
    }

    /// Makes a push to a zone whose epoch `answer(to:)` finds out.
    static func push(
        _ changes: [Change], by device: UInt64, after receipt: [UInt8] = [], in epoch: UInt64 = 0
    ) -> SyncRequest {
        .push(PushRequest(epoch: epoch, replica: Self.device(device), previous: receipt, changes: changes))
    }

    /// Makes a request for changes of a zone whose epoch `answer(to:)` finds out.
    static func pull(since number: UInt64 = 0, limit: Int = 100) -> SyncRequest {
        .pull(PullRequest(epoch: 0, cursor: Cursor(complete: number), limit: limit))
    }

    // MARK: Raw requests

    struct Reply {
        var status: Int
        var fields: [String: String]
        var body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: JSONValue? { try? JSONParser.parse([UInt8](body)) }
    }

    func ask(
        _ method: String, _ path: String, body: Data? = nil, token: String? = LiveServer.annasToken,
        _ fields: [String: String] = [:]
    ) async throws -> Reply {
        var request = URLRequest(url: URL(string: url.absoluteString + path)!)
        request.httpMethod = method
        request.httpBody = body
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if body != nil { request.setValue("application/cbor", forHTTPHeaderField: "Content-Type") }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.timeoutInterval = Self.patience.timeoutIntervalForRequest
        let (data, response) = try await URLSession(configuration: Self.patience).data(for: request)
        let answer = response as? HTTPURLResponse
        var found: [String: String] = [:]
        for (name, value) in answer?.allHeaderFields ?? [:] { found["\(name)".lowercased()] = "\(value)" }
        return Reply(status: answer?.statusCode ?? 0, fields: found, body: data)
    }
}

extension SyncHTTPClient {
    /// Sends a request, in the epoch of the zone if it has none yet, as devices do.
    func answer(to request: SyncRequest) async throws -> SyncResponse {
        let response = try await response(to: request)
        guard case .refused(.epoch(let epoch)) = response.answer else { return response }
        switch request {
        case .push(var push) where push.epoch == 0:
            push.epoch = epoch
            return try await self.response(to: .push(push))
        case .pull(var pull) where pull.epoch == 0:
            pull.epoch = epoch
            return try await self.response(to: .pull(pull))
        case .snapshot(var snapshot) where snapshot.epoch == 0:
            snapshot.epoch = epoch
            return try await self.response(to: .snapshot(snapshot))
        default: return response
        }
    }

    /// Returns the epoch of the zone, which is made if it is not there.
    func epoch() async throws -> UInt64 {
        guard case .refused(.epoch(let epoch)) = try await response(to: LiveServer.pull()).answer else {
            return 0
        }
        return epoch
    }
}

extension SyncResponse {
    var titles: [SyncValue] {
        if case .pull(let page) = answer { page.updates.map { $0.state["title"] } } else { [] }
    }

    var receipt: [UInt8] { if case .push(let answer) = answer { answer.receipt } else { [] } }
}
#endif
