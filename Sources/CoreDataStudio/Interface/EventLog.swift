package import CoreDataJSON
import CoreDataStudioInterface
import Synchronization

/// The last events, and the pages that wait for the next ones.
package final class EventLog: Sendable {
    private struct State {
        var events: [Event] = []
        var count = 0
        var listeners: [Int: AsyncThrowingStream<[UInt8], any Error>.Continuation] = [:]
        var nextListener = 0
    }

    /// The number of events that a page which comes back can catch up with.
    private static let longest = 1000

    private let state = Mutex(State())

    package init() {}

    package func post(_ name: Event.Name, _ data: JSONValue) {
        state.withLock { state in
            if name == .ping { return Self.send(Event(number: 0, name: name, data: data), &state) }
            state.count += 1
            let event = Event(number: state.count, name: name, data: data)
            state.events.append(event)
            if state.events.count > Self.longest { state.events.removeFirst() }
            Self.send(event, &state)
        }
    }

    private static func send(_ event: Event, _ state: inout State) {
        for listener in state.listeners.values { listener.yield(event.line) }
    }

    /// Returns the events after one, and then those to come. If some of those after it are no longer kept, the
    /// first line says so (`{"name":"reset"}`), and the page reads everything again.
    package func stream(after number: Int) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { continuation in
            let listener = state.withLock { state in
                let first = state.events.first?.number ?? state.count + 1
                if number + 1 < first || number > state.count {
                    continuation.yield(
                        Array("{\"number\":\(state.count),\"name\":\"reset\",\"data\":null}\n".utf8))
                } else {
                    for event in state.events where event.number > number { continuation.yield(event.line) }
                }
                state.nextListener += 1
                state.listeners[state.nextListener] = continuation
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[listener] = nil }
            }
        }
    }
}
