internal import Synchronization

/// The latest of something that changes, for whoever listens.
final class Board<Value: Hashable & Sendable>: Sendable {
    private struct State {
        var latest: Value?
        var listeners: [Int: @Sendable (Value) -> Void] = [:]
        var nextListener = 0
    }

    private let state: Mutex<State>

    init(_ value: Value? = nil) { state = Mutex(State(latest: value)) }

    var latest: Value? { state.withLock { $0.latest } }

    func post(_ value: Value) {
        state.withLock { state in
            guard value != state.latest else { return }
            state.latest = value
            for listener in state.listeners.values { listener(value) }
        }
    }

    /// Returns the present value and all that come. Of those that nobody has taken yet the latest stay.
    func stream(keeping count: Int) -> AsyncStream<Value> { stream(keeping: count) { $0 } }

    /// Returns what a closure makes of the present value and of all that come.
    func stream<Element>(
        keeping count: Int, _ element: @escaping @Sendable (Value) -> Element
    ) -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: .bufferingNewest(count)) { continuation in
            let number = state.withLock { state in
                state.nextListener += 1
                state.listeners[state.nextListener] = { continuation.yield(element($0)) }
                if let latest = state.latest { continuation.yield(element(latest)) }
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
            }
        }
    }
}
