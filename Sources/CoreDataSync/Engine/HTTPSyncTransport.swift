public import CoreData
internal import CoreDataSyncCore
internal import CoreDataSyncTransport
internal import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The way to a zone of a server that runs `coredata-syncd`, over HTTP.
public struct HTTPSyncTransport: SyncTransport {
    private let client: SyncHTTPClient
    private let hello: SyncGreeting

    /// Makes a way to a zone.
    ///
    /// - Parameters:
    ///   - server: The address of the server, such as `https://sync.example.org`.
    ///   - zone: The name of a zone of the user's own, which the server makes when it is first asked for; or
    ///     `owner:name` for a zone of another user that this one may use.
    ///   - model: The model of the store. The server learns it.
    ///   - deviceName: What the server's operator sees of this device.
    ///   - configuration: How requests are sent: proxies, time limits. An answer may take 60 seconds if it says
    ///     nothing else.
    ///   - token: Returns a token that is valid now. It is asked for at each request.
    /// - Throws: `StoreSyncError.model` for a model that cannot be synced.
    public init(
        server: URL, zone: String, model: NSManagedObjectModel, deviceName: String = "",
        configuration: URLSessionConfiguration = .ephemeral,
        token: @escaping @Sendable () async throws -> String
    ) throws {
        let schema = try ModelBinding(model.entities).schema
        client = SyncHTTPClient(
            server: server, zone: zone, configuration: configuration, token: token)
        hello = SyncGreeting(name: deviceName, model: schema.model)
    }

    /// Sends a request. Says hello before the first one.
    public func answer(to request: Data) async throws -> Data {
        let request = try SyncRequest(wire: CBORReader.read(Array(request), limits: .trusted))
        try await hello.say(to: client, before: request)
        let response: SyncResponse
        do {
            response = try await client.response(to: request)
        } catch let error as SyncHTTPError where error.status == 422 {
            // A server whose data is gone does not know the model any more.
            await hello.forget()
            try await hello.say(to: client, before: request)
            response = try await client.response(to: request)
        }
        return Data(CBORWriter.bytes(of: response.wire))
    }

    /// Sends the bytes of a large value in parts, from where an earlier upload ended.
    public func upload(_ bytes: Data, as name: String) async throws {
        try await client.upload(bytes, as: name)
    }

    /// Returns the bytes of a large value; nil if the server does not have them.
    public func download(_ name: String) async throws -> Data? {
        do {
            return try await client.download(name)
        } catch let error as SyncHTTPError where error.status == 404 {
            return nil
        }
    }

    /// Elements as often as the zone has news. A connection that ends is made again.
    public var news: AsyncStream<Void> { client.news() }
}

/// The hello that a server hears once a process and replica.
private actor SyncGreeting {
    private let name: String
    private let model: SyncModel
    /// What the server has heard: nil for nothing, else the replica, which is nil until there is a push.
    private var known: ReplicaID??

    init(name: String, model: SyncModel) {
        self.name = name
        self.model = model
    }

    func forget() { known = nil }

    /// Says hello, unless the server has heard it.
    func say(to client: SyncHTTPClient, before request: SyncRequest) async throws {
        var replica = known ?? nil
        if case .push(let push) = request { replica = push.replica }
        guard known != .some(replica) else { return }
        _ = try await client.hello(HelloRequest(replica: replica, name: name, model: model))
        known = .some(replica)
    }
}
