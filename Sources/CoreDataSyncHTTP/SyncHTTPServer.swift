#if SyncServer
import Crypto
package import CoreDataSyncServer
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
package import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import UnixSignals

/// The server over HTTP: its rules in the order in which a request meets them, and its routes.
package struct SyncHTTPServer: Sendable {
    private let configuration: ServerSettings
    private let service: SyncService
    private let blobs: BlobStore
    private let logger: Logger
    private let responder: RouterResponder<SyncContext>
    private let hangups: Hangups

    /// Opens the data and reads keys.
    ///
    /// - Parameter now: The present in milliseconds since 1970.
    package init(
        _ configuration: ServerSettings, logger: Logger,
        now: @escaping @Sendable () -> UInt64 = SyncService.present
    ) async throws {
        self.configuration = configuration
        self.logger = logger
        let folder = DataFolder(configuration.data)
        let text = MetricsText()
        let metrics = ServerMetrics(text)
        service = try await SyncService(
            try configuration.place.open(), limits: configuration.limits,
            allowsNewModels: configuration.allowsNewModels, policies: configuration.policies, now: now,
            observer: metrics.note)
        blobs = try BlobStore(folder: folder.blobs, hasher: Self.hash)
        try await service.claim(blobs)
        var signed: SignedTokens?
        if let jwt = configuration.jwt { signed = try await SignedTokens(jwt, now: now) }
        hangups = Hangups()
        responder = Self.makeResponder(
            service, blobs, TokenVerifier(StaticTokens(configuration.tokens), signed),
            RateLimiter(configuration.limits, now: now), hangups, text, metrics, configuration, logger)
    }

    /// Returns the SHA-256 of a file, which is read in parts.
    private static let hash: BlobStore.Hasher = { file in
        var digest = SHA256()
        while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty { digest.update(data: bytes) }
        return Array(digest.finalize())
    }

    private static func makeResponder(
        _ service: SyncService, _ blobs: BlobStore, _ tokens: TokenVerifier,
        _ limiter: RateLimiter, _ hangups: Hangups, _ text: MetricsText, _ metrics: ServerMetrics,
        _ configuration: ServerSettings, _ logger: Logger
    ) -> RouterResponder<SyncContext> {
        let router = Router(context: SyncContext.self)
        router.add(middleware: LogMiddleware(logger: logger, metrics: metrics))
        OperationRoutes(service: service, metrics: metrics, text: text, digest: configuration.metrics)
            .add(to: router)
        let group = router.group("v1").add(middleware: TokenMiddleware(tokens: tokens, limiter: limiter))
        if let minimum = configuration.minimumVersion {
            group.add(middleware: VersionMiddleware(minimum: minimum))
        }
        group.add(
            middleware: RateMiddleware(
                limiter: limiter, slots: AnswerSlots(atMost: service.limits.answers), metrics: metrics,
                largest: max(service.limits.bodyBytes, BlobStore.part)))
        ZoneRoutes(service: service, limiter: limiter, metrics: metrics, logger: logger, hangups: hangups)
            .add(to: group)
        BlobRoutes(service: service, store: blobs).add(to: group)
        LiveRoute(service: service, metrics: metrics, hangups: hangups).add(to: group)
        group.post("shares") { _, _ -> Response in throw Answer(501, "sharing zones is not there yet") }
        return router.buildResponder()
    }

    /// Serves until the task is cancelled, or the process is asked to end. Requests that came before are answered.
    ///
    /// - Parameters:
    ///   - takesSignals: Whether SIGTERM and SIGINT of the process end it.
    ///   - isRunning: Is called with the port once connections are taken.
    package func run(
        takesSignals: Bool = true, isRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let application = Application(
            responder: responder, server: try channels(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "coredata-syncd",
                // After a restart all devices come at once. The system takes so many as it is set up for.
                backlog: 4096,
                availableConnectionsDelegate: MaximumAvailableConnections(Descriptors.forConnections)),
            services: [
                Heartbeat(hub: service.pokes),
                Maintenance(
                    service: service, blobs: blobs, retention: configuration.retention, logger: logger),
            ], onServerRunning: { channel in await isRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
        defer { service.database.close() }
        let server = Listened(wrapped: application, hub: service.pokes)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: takesSignals ? [.sigterm, .sigint] : [],
                logger: logger))
        guard !takesSignals else { return try await group.run() }
        // A task of its own is not cancelled with the caller's.
        let serving = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await serving.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }

    /// How long a connection may say nothing, in seconds. Streams have a heartbeat.
    private static let idle: Int64 = 120

    private func channels() throws -> HTTPServerBuilder {
        let hangups = hangups
        let connection = HTTP1Channel.Configuration(
            additionalChannelHandlers: [Hangups.Handler(hangups)], idleTimeout: .seconds(Self.idle))
        guard let tls = configuration.tls else { return .http1(configuration: connection) }
        var settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(tls.certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: tls.key, format: .pem)))
        settings.minimumTLSVersion = .tlsv12
        if configuration.http2 {
            return try .http2Upgrade(
                tlsConfiguration: settings,
                configuration: .init(
                    idleTimeout: .seconds(Self.idle),
                    // Also that of connections that speak HTTP/1.1.
                    streamConfiguration: .init(
                        additionalChannelHandlers: [Hangups.Handler(hangups, isStream: true)],
                        idleTimeout: .seconds(Self.idle))))
        }
        return try .tls(.http1(configuration: connection), tlsConfiguration: settings)
    }
}
#endif
