import Foundation
import Synchronization

/// The limit of how many contexts merge at once, in blocks that no thread waits for: as many as there are
/// cores.
///
/// Each of them takes a thread, and more would only take them from one another.
final class MergeTurns: Sendable {
    static let shared = MergeTurns(count: ProcessInfo.processInfo.activeProcessorCount)

    private struct State {
        var free: Int
        var waiting: [MergeInbox] = []

        mutating func next() -> MergeInbox? {
            guard free > 0, !waiting.isEmpty else { return nil }
            free -= 1
            return waiting.removeFirst()
        }
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(free: count))
    }

    /// Gives an inbox its turn, now or when others have given theirs back.
    func await(_ inbox: MergeInbox) {
        state.withLock { $0.waiting.append(inbox) }
        grant()
    }

    func giveBack() {
        state.withLock { $0.free += 1 }
        grant()
    }

    private func grant() {
        while let inbox = state.withLock({ $0.next() }) {
            if !inbox.takeTurn() { state.withLock { $0.free += 1 } }
        }
    }
}
