import Synchronization

/// News of a zone: something was pushed to it.
package struct Poke: Hashable, Sendable {
    package var zone: ZoneName
    package var epoch: UInt64
    package var sequence: UInt64

    package init(zone: ZoneName, epoch: UInt64, sequence: UInt64) {
        self.zone = zone
        self.epoch = epoch
        self.sequence = sequence
    }

    /// Returns whether it tells more than is known.
    package func isNews(behind known: Poke?) -> Bool {
        guard let known else { return true }
        return (epoch, sequence) > (known.epoch, known.sequence)
    }
}

/// Tells those who listen that zones have news.
///
/// A listener that reads slowly gets the last news of each zone: what came between is nothing by itself,
/// since data always comes by pulling.
package final class PokeHub: Sendable {
    private struct Listener {
        let user: String
        let zones: Set<ZoneName>
        /// When it has waited long enough; nil for one that listens as long as it likes.
        let deadline: ContinuousClock.Instant?
        var pending: [ZoneName: Poke] = [:]
        /// Since when there is something pending.
        var since: ContinuousClock.Instant?
        let signal: AsyncStream<Void>.Continuation

        mutating func add(_ poke: Poke, at now: ContinuousClock.Instant) {
            pending[poke.zone] = poke
            since = since ?? now
        }
    }

    private struct State {
        var listeners: [UInt64: Listener] = [:]
        /// Those who listen to each zone, and how often each user does.
        var byZone: [ZoneName: Set<UInt64>] = [:]
        var byUser: [String: Int] = [:]
        /// The latest news of each zone that somebody listens to.
        var latest: [ZoneName: Poke] = [:]
        var next: UInt64 = 0
        var isClosed = false

        mutating func remove(_ number: UInt64) -> Listener? {
            guard let listener = listeners.removeValue(forKey: number) else { return nil }
            byUser[listener.user, default: 1] -= 1
            if byUser[listener.user] == 0 { byUser[listener.user] = nil }
            for zone in listener.zones {
                byZone[zone]?.remove(number)
                if byZone[zone]?.isEmpty ?? false { (byZone[zone], latest[zone]) = (nil, nil) }
            }
            return listener
        }
    }

    private let state = Mutex(State())

    init() {}

    package var count: Int { state.withLock { $0.listeners.count } }

    /// The zones that somebody listens to.
    var zones: Set<ZoneName> { state.withLock { Set($0.byZone.keys) } }

    /// Begins to listen. It ends when the subscription is released.
    ///
    /// - Parameter deadline: When the signals end at the latest (`endWaits`). So nobody who listens needs a timer of their
    ///   own: of ten thousand each would take more memory than all else that is kept of them.
    /// - Throws: `ServiceError.tooOften` if the user listens so often already.
    package func listen(
        to zones: Set<ZoneName>, as user: String, atMost most: Int,
        until deadline: ContinuousClock.Instant? = nil
    ) throws -> Subscription {
        let (stream, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = try state.withLock { state in
            guard !state.isClosed else { throw ServiceError.busy }
            guard state.byUser[user, default: 0] < most else {
                throw ServiceError.tooOften(seconds: 60)
            }
            state.next += 1
            state.listeners[state.next] = Listener(
                user: user, zones: zones, deadline: deadline, signal: signal)
            state.byUser[user, default: 0] += 1
            for zone in zones { state.byZone[zone, default: []].insert(state.next) }
            return state.next
        }
        return Subscription(hub: self, number: number, signals: stream)
    }

    /// Announces news, unless they are known already.
    package func announce(_ poke: Poke) {
        let signals = state.withLock { state -> [AsyncStream<Void>.Continuation] in
            guard let numbers = state.byZone[poke.zone], poke.isNews(behind: state.latest[poke.zone])
            else { return [] }
            state.latest[poke.zone] = poke
            let now = ContinuousClock.now
            return numbers.compactMap { number in
                state.listeners[number]?.add(poke, at: now)
                return state.listeners[number]?.signal
            }
        }
        for signal in signals { signal.yield() }
    }

    /// Wakes all listeners without a deadline, so that each sends a sign of life, and finds out whether it is still heard.
    package func beat() {
        let signals = state.withLock { $0.listeners.values.filter { $0.deadline == nil }.map(\.signal) }
        for signal in signals { signal.yield() }
    }

    /// Ends the signals of those who have waited until their deadline.
    package func endWaits(at now: ContinuousClock.Instant) {
        let signals = state.withLock { state in
            state.listeners.values.filter { $0.deadline.map { $0 <= now } ?? false }.map(\.signal)
        }
        for signal in signals { signal.finish() }
    }

    /// Ends all subscriptions, and takes no more.
    package func close() {
        let listeners = state.withLock { state in
            let signals = state.listeners.values.map(\.signal)
            state = State(isClosed: true)
            return signals
        }
        for signal in listeners { signal.finish() }
    }

    fileprivate func take(_ number: UInt64) -> News {
        state.withLock { state in
            guard let listener = state.listeners[number], let since = listener.since else { return News() }
            state.listeners[number]?.pending = [:]
            state.listeners[number]?.since = nil
            return News(
                pokes: listener.pending.values.sorted { $0.zone < $1.zone }, delay: .now - since)
        }
    }

    fileprivate func remove(_ number: UInt64) {
        let listener = state.withLock { $0.remove(number) }
        listener?.signal.finish()
    }

    /// What a listener has not heard yet.
    package struct News {
        package var pokes: [Poke] = []
        /// How long the first of it has waited for the listener; nil if there is nothing.
        package var delay: Duration?
    }

    /// One who listens.
    package final class Subscription: Sendable {
        private let hub: PokeHub
        private let number: UInt64
        /// Comes whenever there are pokes to take; ends at the deadline, and when the hub closes.
        package let signals: AsyncStream<Void>

        fileprivate init(hub: PokeHub, number: UInt64, signals: AsyncStream<Void>) {
            self.hub = hub
            self.number = number
            self.signals = signals
        }

        package func take() -> News { hub.take(number) }

        /// Ends the signals.
        package func end() { hub.remove(number) }

        deinit { hub.remove(number) }
    }
}
