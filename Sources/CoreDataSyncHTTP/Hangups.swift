#if SyncServer
import NIOCore
import Synchronization

/// The connections on which nobody hears an answer any more. While a request is held, nothing is read or written that would
/// tell so.
final class Hangups: Sendable {
    private struct State {
        /// The connections that have hung up, until they are closed here.
        var gone: Set<ObjectIdentifier> = []
        var actions: [ObjectIdentifier: [UInt64: @Sendable () -> Void]] = [:]
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Runs an action once the connection has hung up, or at once if it has, unless the watch is released before.
    func watch(_ channel: any Channel, _ action: @escaping @Sendable () -> Void) -> Watch {
        let id = ObjectIdentifier(channel)
        let (number, isGone) = state.withLock { state in
            state.next += 1
            let isGone = state.gone.contains(id)
            if !isGone { state.actions[id, default: [:]][state.next] = action }
            return (state.next, isGone)
        }
        if isGone { action() }
        return Watch(hangups: self, connection: id, number: number)
    }

    /// Runs a body, which is told whether a connection still waits for its answer.
    func watching<Result>(
        _ channel: any Channel, _ metrics: ServerMetrics,
        _ body: (_ isAwaited: @escaping @Sendable () -> Bool) async throws -> Result
    ) async rethrows -> Result {
        let flag = Flag()
        let watch = self.watch(channel) {
            flag.isGone.store(true, ordering: .relaxed)
            metrics.noteHangup()
        }
        defer { withExtendedLifetime(watch) {} }
        return try await body { !flag.isGone.load(ordering: .relaxed) }
    }

    private final class Flag: Sendable {
        let isGone = Atomic(false)
    }

    final class Watch: Sendable {
        private let hangups: Hangups
        private let connection: ObjectIdentifier
        private let number: UInt64

        fileprivate init(hangups: Hangups, connection: ObjectIdentifier, number: UInt64) {
            (self.hangups, self.connection, self.number) = (hangups, connection, number)
        }

        deinit {
            hangups.state.withLock { state in
                state.actions[connection]?[number] = nil
                if state.actions[connection]?.isEmpty ?? false { state.actions[connection] = nil }
            }
        }
    }

    fileprivate func note(_ channel: any Channel, isClosed: Bool) {
        let id = ObjectIdentifier(channel)
        let actions = state.withLock { state in
            if isClosed { state.gone.remove(id) } else { state.gone.insert(id) }
            return state.actions.removeValue(forKey: id) ?? [:]
        }
        for action in actions.values { action() }
    }

    /// Notes the end of one connection.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = Never

        private let hangups: Hangups
        private let isStream: Bool

        /// - Parameter isStream: Whether the channel is a stream of HTTP/2, whose input ends with each request.
        init(_ hangups: Hangups, isStream: Bool = false) {
            self.hangups = hangups
            self.isStream = isStream
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if !isStream, case .inputClosed? = event as? ChannelEvent {
                hangups.note(context.channel, isClosed: false)
            }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            hangups.note(context.channel, isClosed: true)
            context.fireChannelInactive()
        }
    }
}
#endif
