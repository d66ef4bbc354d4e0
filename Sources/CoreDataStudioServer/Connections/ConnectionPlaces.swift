#if Studio
import Synchronization

/// The connections that may be open at the same time.
final class ConnectionPlaces: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) {
        free = Mutex(count)
    }

    /// Takes a place. Returns false if there is none.
    func take() -> Bool {
        free.withLock { free in
            if free == 0 { return false }
            free -= 1
            return true
        }
    }

    func giveBack() { free.withLock { $0 += 1 } }
}
#endif
