import Foundation
import Synchronization

/// The limit of how many contexts merge at once, in blocks that no thread waits for: as many as there are
/// cores.
///
/// Each merge takes a thread, and more threads than cores would only compete for the cores.
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

    /// Gives an inbox a turn, now or when another inbox has given its turn back.
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
