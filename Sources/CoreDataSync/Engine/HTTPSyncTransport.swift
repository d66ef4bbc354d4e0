public import CoreData
internal import CoreDataSyncCore
package import CoreDataSyncTransport
internal import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The way to a zone of a server that runs `coredata-syncd`, over HTTP.
public struct HTTPSyncTransport: SyncTransport {
    private let client: SyncHTTPClient
    private let hello: SyncGreeting
    private let downloads = BlobDownloads()

    /// Makes a way to a zone.
    ///
    /// - Parameters:
    ///   - server: The address of the server, such as `https://sync.example.org`.
    ///   - zone: The name of a zone of the user's own, which the server makes when it is first asked for; or
    ///     `owner:name` for a zone of another user that this one may use.
    ///   - model: The model of the store. The server learns it.
    ///   - deviceName: What the server's operator sees of this device.
    ///   - appVersion: The version of the app, as 2.1, of which the server may want a later one; that of the main bundle
    ///     unless given.
    ///   - configuration: How requests are sent: proxies, time limits. An answer may take 60 seconds if it says
    ///     nothing else.
    ///   - token: Returns a token that is valid now. It is asked for at each request.
    /// - Throws: `StoreSyncError.model` for a model that cannot be synced.
    public init(
        server: URL, zone: String, model: NSManagedObjectModel, deviceName: String = "",
        appVersion: String? = nil, configuration: URLSessionConfiguration = .ephemeral,
        token: @escaping @Sendable () async throws -> String
    ) throws {
        let client = SyncHTTPClient(
            server: server, zone: zone, configuration: configuration,
            appVersion: appVersion ?? Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString")
                as? String,
            token: token)
        try self.init(client, model: model, deviceName: deviceName)
    }

    package init(_ client: SyncHTTPClient, model: NSManagedObjectModel, deviceName: String) throws {
        let schema = try ModelBinding(model.entities).schema
        self.client = client
        hello = SyncGreeting(name: deviceName, model: schema.model)
    }

    /// Sends a request. Says hello before the first one.
    ///
    /// - Throws: `SyncDenial` for edits of a user who may only read; `SyncOutdated` from a server that wants a later version
    ///   of the app; or an error that says what the network or the server has.
    public func answer(to request: Data) async throws -> Data {
        try await translated { try await send(request) }
    }

    /// Runs a body, and translates the answer that the app is too old.
    private func translated<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as SyncHTTPError where error.status == 426 {
            throw SyncOutdated(minimumVersion: error.minimumVersion ?? "")
        }
    }

    private func send(_ request: Data) async throws -> Data {
        let request = try SyncRequest(wire: CBORReader.read(Array(request), limits: .trusted))
        let client = try await hello.say(to: client, before: request)
        let response: SyncResponse
        do {
            response = try await client.response(to: request)
        } catch let error as SyncHTTPError where [403, 422].contains(error.status) {
            // What the user may do has changed, or a server whose data is gone does not know the model any more.
            await hello.forget()
            let present = try await hello.say(to: self.client, before: request)
            // Another user has logged in, and the zone of that name is another one.
            guard present.zone == client.zone else { throw error }
            if case .push = request, await role == .reader { throw SyncDenial(reason: error.reason) }
            response = try await client.response(to: request)
        }
        return Data(CBORWriter.bytes(of: response.wire))
    }

    /// What the user may do in the zone; nil before the server was asked, and for a zone that is not there yet.
    public var role: SyncRole? { get async { await hello.role(in: client.zone) } }

    /// `owner:name`, which the server is asked for; nil from a server that does not say who the user is.
    public var zone: String? {
        get async throws {
            let zone = try await translated { try await hello.say(to: client).zone }
            return zone.contains(":") ? zone : nil
        }
    }

    /// Sends the bytes of a large value in parts, from where an earlier upload ended.
    public func upload(_ bytes: Data, as name: String) async throws {
        try await translated { try await hello.say(to: client).upload(bytes, as: name) }
    }

    /// Returns the bytes of a large value, which come in parts, from where an earlier download ended; nil if the
    /// server does not have them.
    public func download(_ name: String) async throws -> Data? {
        do {
            return try await translated { try await downloads.bytes(of: name, by: hello.say(to: client)) }
        } catch let error as SyncHTTPError where error.status == 404 {
            return nil
        }
    }

    /// Elements as often as the zone has news. A connection that ends is made again.
    public var news: AsyncStream<Void> { client.news() }
}

/// The hello that a server hears once a process, replica and token.
private actor SyncGreeting {
    private let name: String
    private let model: SyncModel
    /// What the server has heard: nil for nothing, else the replica, which is nil until there is a push.
    private var known: ReplicaID??
    private var answer: HelloAnswer?
    /// The token with which it was heard.
    private var token: String?

    init(name: String, model: SyncModel) {
        self.name = name
        self.model = model
    }

    func forget() { known = nil }

    func role(in zone: String) -> SyncRole? {
        guard let answer, let user = answer.user else { return nil }
        let name = SyncHTTPClient.wholeName(of: zone, for: user)
        return answer.zones.first { SyncHTTPClient.wholeName(of: $0.name, for: user) == name }
            .flatMap { SyncRole(rawValue: $0.role) }
    }

    /// Says hello, unless the server has heard it. Returns the way to the zone under its whole name.
    func say(
        to client: SyncHTTPClient, before request: SyncRequest? = nil
    ) async throws -> SyncHTTPClient {
        let token = try await client.token()
        // Another token may be another user's.
        if token != self.token { known = nil }
        var replica = known ?? nil
        if case .push(let push) = request { replica = push.replica }
        if known != .some(replica) {
            answer = try await client.hello(HelloRequest(replica: replica, name: name, model: model))
            (known, self.token) = (.some(replica), token)
        }
        return answer?.user.map(client.wholeName(for:)) ?? client
    }
}

/// The last download that was cut, which goes on from there when it is asked for again, also after others.
private actor BlobDownloads {
    private var cut: (name: String, bytes: Data)?

    func bytes(of name: String, by client: SyncHTTPClient) async throws -> Data {
        var bytes = Data()
        if let cut, cut.name == name {
            bytes = cut.bytes
            self.cut = nil
        }
        do {
            while true {
                let part = try await client.part(of: name, from: bytes.count)
                bytes += part.bytes
                if bytes.count == part.total { return bytes }
            }
        } catch {
            cut = (name, bytes)
            throw error
        }
    }
}
