import Dispatch
import Synchronization

/// A limit on how many jobs run at once, on threads that may wait. The others wait in line.
final class Turnstile: Sendable {
    private struct State {
        var inside = 0
        var waiting: [CheckedContinuation<Void, any Error>] = []
        var isClosed = false
    }

    /// The jobs that may wait.
    static let longest = 1024

    private let most: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    init(_ most: Int, label: String) {
        self.most = most
        queue = DispatchQueue(label: label, qos: .userInitiated, attributes: .concurrent)
    }

    /// Runs a job when it is its turn.
    ///
    /// - Throws: `ServerBusy` if too many wait, or what the job throws.
    func pass<Result: Sendable>(_ job: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try job() }) }
        }
    }

    private func enter() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let isFree: Bool? = state.withLock { state in
                guard !state.isClosed, state.waiting.count < Self.longest else { return nil }
                if state.inside < most {
                    state.inside += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            switch isFree {
            case nil: continuation.resume(throwing: ServerBusy())
            case true?: continuation.resume()
            case false?: break
            }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.inside -= 1
            return nil
        }
        next?.resume()
    }

    /// Ends what is waiting, and lets nothing in any more.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(throwing: ServerBusy()) }
    }
}
