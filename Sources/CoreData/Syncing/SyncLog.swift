import Foundation
import Synchronization

/// The last events of the stores of a coordinator.
final class SyncLog: Sendable {
    typealias Event = NSPersistentCloudKitContainer.Event

    private static let capacity = 1000

    private struct State {
        /// In the order in which they began.
        var events: [Event] = []
        /// The events that go on, by their stores.
        var open: [String: Event] = [:]
    }

    private let state = Mutex(State())

    var events: [Event] { state.withLock { $0.events } }

    /// Takes note of a step, and returns the events that end or begin with it.
    func note(_ step: PersistentStoreSyncStep, of store: String) -> [Event] {
        state.withLock { state in
            switch step {
            case .began(let type):
                if state.open[store]?.type == type { return [] }
                let ended = Self.end(store, nil, &state)
                let event = Event(type, of: store)
                state.open[store] = event
                state.events.append(event)
                if state.events.count > Self.capacity { state.events.removeFirst() }
                return ended + [event]
            case .left(let count):
                guard let event = state.open[store]?.counted(left: count) else { return [] }
                state.open[store] = event
                Self.replace(event, &state)
                return []
            case .ended(let error): return Self.end(store, error, &state)
            }
        }
    }

    private static func end(_ store: String, _ error: (any Error)?, _ state: inout State) -> [Event] {
        guard let event = state.open.removeValue(forKey: store)?.ended(with: error) else { return [] }
        replace(event, &state)
        return [event]
    }

    private static func replace(_ event: Event, _ state: inout State) {
        guard let index = state.events.lastIndex(where: { $0.identifier == event.identifier }) else { return }
        state.events[index] = event
    }
}
