#if Studio
package import CoreDataStudioInterface
import NIOCore
import NIOPosix

/// The server before a studio: it takes requests of this machine only, and only those of the studio's own
/// page.
package final class StudioServer: Sendable {
    private typealias Listener = NIOAsyncChannel<Connection.Channel, Never>

    /// Where the server listens.
    package let port: Int
    private let listeners: [Listener]
    private let responder: Responder
    private let limits: ServerLimits

    /// Listens at the loopback addresses of this machine, IPv6 where it has that.
    ///
    /// - Parameters:
    ///   - port: A port, or 0 for a free one.
    ///   - now: The present, for limits in time.
    package init(
        port: Int = 0, assets: AssetSource = .compiled, limits: ServerLimits = ServerLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, _ handler: @escaping StudioHandler
    ) async throws {
        let access = Access(now: now)
        self.limits = limits
        responder = Responder(
            handler: handler, assets: assets, access: access, downloads: Downloads(now: now))
        let first = try await Self.listen("127.0.0.1", port, limits, access)
        self.port = first.channel.localAddress?.port ?? port
        // Another program may have this port there, or the machine no IPv6.
        let second = try? await Self.listen("::1", self.port, limits, access)
        listeners = [first, second].compactMap { $0 }
    }

    private static func listen(
        _ host: String, _ port: Int, _ limits: ServerLimits, _ access: Access
    ) async throws -> Listener {
        try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .bind(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let port = channel.localAddress?.port ?? port
                    let gate = Gate(port: port, limits: limits, access: access)
                    return try Connection.prepare(channel, gate: gate, limits: limits)
                }
            }
    }

    /// Returns a link to the page that is good once. Its code is behind the `#`, which browsers do not send.
    package func makeLink() -> String { "http://127.0.0.1:\(port)/#code=\(responder.access.makeCode())" }

    /// Answers until the task is cancelled; then all connections are closed.
    package func run() async {
        let places = ConnectionPlaces(limits.connections)
        await withDiscardingTaskGroup { group in
            for listener in listeners {
                group.addTask { await self.accept(from: listener, places) }
            }
        }
    }

    private func accept(from listener: Listener, _ places: ConnectionPlaces) async {
        try? await listener.executeThenClose { channels in
            try await withThrowingDiscardingTaskGroup { group in
                for try await channel in channels {
                    group.addTask {
                        guard places.take() else {
                            try? await channel.executeThenClose { _, _ in }
                            return
                        }
                        defer { places.giveBack() }
                        await Connection(channel: channel, responder: self.responder).serve()
                    }
                }
            }
        }
    }
}
#endif
