package import CoreDataSyncCore
package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// A device's way to a zone of a server over HTTP, by `URLSession`.
///
/// It repeats nothing: what fails is an error, and the machine behind it knows when to try again. While the server
/// wants to be left alone, it is not asked.
package struct SyncHTTPClient: Sendable {
    /// Returns a token that is valid now.
    package typealias Token = @Sendable () async throws -> String

    /// The address of the server, without `/v1`.
    let server: URL
    /// `name`, or `owner:name` for a zone of somebody else's.
    package private(set) var zone: String
    package let token: Token
    /// The version of the app, of which the server may want a later one.
    let appVersion: String?
    let session: URLSession
    /// The bytes of a blob that are in one request or answer.
    let partBytes: Int
    let pause = ServerPause()

    /// - Parameter configuration: How requests are sent. A listener's wait at least as long as the server holds them.
    package init(
        server: URL, zone: String, configuration: URLSessionConfiguration = .ephemeral,
        partBytes: Int = 4 << 20, appVersion: String? = nil, token: @escaping Token
    ) {
        self.partBytes = partBytes
        self.appVersion = appVersion
        self.server = server
        self.zone = zone
        self.token = token
        let own = configuration.copy() as! URLSessionConfiguration
        own.httpShouldSetCookies = false
        session = URLSession(configuration: own)
    }

    /// Returns the way to a zone under its whole name, by which no other user comes to another zone.
    ///
    /// - Parameter user: Whose zone it is if its name does not say.
    package func wholeName(for user: String) -> SyncHTTPClient {
        var client = self
        client.zone = Self.wholeName(of: zone, for: user)
        return client
    }

    package static func wholeName(of zone: String, for user: String) -> String {
        zone.contains(":") ? zone : "\(user):\(zone)"
    }

    /// Says hello: the model that the device has.
    package func hello(_ request: HelloRequest) async throws -> HelloAnswer {
        let bytes = try await send(SyncCall(verb: "hello", body: request.wire), to: ["hello"])
        return try HelloAnswer(wire: CBORReader.read(bytes, limits: .trusted))
    }

    /// Sends a request of the protocol. A refusal is an answer.
    ///
    /// - Throws: `SyncHTTPError` for any other status, `WireError` for an answer that is none, `URLError`.
    package func response(to request: SyncRequest) async throws -> SyncResponse {
        let call = request.call
        let bytes = try await send(call, to: ["zones", zone, call.verb])
        return try SyncResponse(wire: CBORReader.read(bytes, limits: .trusted))
    }

    /// Returns values that lost.
    package func losses(behind place: LogPlace, limit: Int) async throws -> LogPage {
        let query = [
            "since": String(place.sequence), "entry": String(place.entry), "limit": String(limit),
        ]
        let bytes = try await send(SyncCall(verb: "issues", query: query), to: ["zones", zone, "issues"])
        return try LogPage(wire: CBORReader.read(bytes, limits: .trusted))
    }

    package func restore(_ request: RestoreRequest) async throws -> RestoreAnswer {
        let call = SyncCall(verb: "restore", body: request.wire)
        let bytes = try await send(call, to: ["zones", zone, "restore"])
        return try RestoreAnswer(wire: CBORReader.read(bytes, limits: .trusted))
    }

    // MARK: Requests

    private func send(_ call: SyncCall, to path: [String]) async throws -> [UInt8] {
        var request = try await self.request(to: path, query: call.query)
        if let body = call.body {
            request.httpMethod = "POST"
            request.httpBody = Data(CBORWriter.bytes(of: body))
            request.setValue("application/cbor", forHTTPHeaderField: "Content-Type")
        }
        request.setValue("application/cbor", forHTTPHeaderField: "Accept")
        let (data, response) = try await answer(to: request)
        let bytes = [UInt8](data)
        // Refusals come with a status of their own, for proxies and logs.
        if response.statusCode == 200 || SyncHTTPError.isRefusal(bytes) { return bytes }
        throw error(response, data)
    }

    /// Sends a request and a body, unless the server wants to be left alone.
    func answer(to request: URLRequest, sending body: Data? = nil) async throws -> (Data, HTTPURLResponse) {
        try pause.check()
        return try await load(request, sending: body, in: session)
    }

    /// Returns the error that an answer is, and keeps to the pause that the server asks for in it.
    func error(_ response: HTTPURLResponse, _ data: Data) -> SyncHTTPError {
        let error = SyncHTTPError(response, [UInt8](data))
        pause.note(error)
        return error
    }

    /// Sends a request, with a body if one is given, and returns the answer.
    ///
    /// Once it is sent it goes on to its end, or its time limit, also if the caller is cancelled: on Linux a task of a
    /// `URLSession` that is cancelled while its answer comes can end the process, or never end.
    func load(
        _ request: URLRequest, sending body: Data? = nil, in session: URLSession
    ) async throws -> (Data, HTTPURLResponse) {
        try Task.checkCancellation()
        let task = Task {
            guard let body else { return try await session.data(for: request) }
            return try await session.upload(for: request, from: body)
        }
        let (data, response) = try await task.value
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (data, response)
    }

    func request(to path: [String], query: [String: String] = [:]) async throws -> URLRequest {
        let parts = (["v1"] + path).map { part in
            part.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        }
        var text = server.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        text += "/" + parts.joined(separator: "/")
        let fields = query.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "")"
        }
        if !fields.isEmpty { text += "?" + fields.joined(separator: "&") }
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        // On Linux the configuration's is not asked.
        request.timeoutInterval = session.configuration.timeoutIntervalForRequest
        request.setValue("Bearer \(try await token())", forHTTPHeaderField: "Authorization")
        if let appVersion { request.setValue(appVersion, forHTTPHeaderField: HeaderFields.appVersion) }
        return request
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
