internal import Synchronization

/// The latest of something that changes, for whoever listens.
final class Board<Value: Hashable & Sendable>: Sendable {
    private struct State {
        var latest: Value?
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var nextListener = 0
    }

    private let state: Mutex<State>

    init(_ value: Value? = nil) { state = Mutex(State(latest: value)) }

    func post(_ value: Value) {
        state.withLock { state in
            guard value != state.latest else { return }
            state.latest = value
            for listener in state.listeners.values { listener.yield(value) }
        }
    }

    /// Returns the present value and all that come. Of those that nobody has taken yet the latest stay.
    func stream(keeping count: Int) -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(count)) { continuation in
            let number = state.withLock { state in
                state.nextListener += 1
                state.listeners[state.nextListener] = continuation
                if let latest = state.latest { continuation.yield(latest) }
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
            }
        }
    }
}
