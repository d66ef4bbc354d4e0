import CLibpq
import Synchronization

/// The means by which one thread cancels the statement that another one runs on a connection.
///
/// Its handle is a constant that is used under the mutex. Therefore `@unchecked Sendable` is true.
final class Cancellation: @unchecked Sendable {
    private struct State {
        var isRunning = false
        var wasCancelled = false
    }

    private let handle: OpaquePointer?
    private let state = Mutex(State())

    init(of connection: OpaquePointer) {
        handle = PQgetCancel(connection)
    }

    deinit {
        PQfreeCancel(handle)
    }

    func begin() {
        state.withLock { ($0.isRunning, $0.wasCancelled) = (true, false) }
    }

    /// Notes that nothing runs any more. Waits for a request under way, since it would cancel the next
    /// statement.
    func end() {
        state.withLock { $0.isRunning = false }
    }

    var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

    /// Asks the server to cancel the running statement; does nothing if none is running.
    func cancel() {
        state.withLock { state in
            guard state.isRunning, let handle else { return }
            state.wasCancelled = true
            var message = [CChar](repeating: 0, count: 256)
            PQcancel(handle, &message, Int32(message.count))
        }
    }
}
