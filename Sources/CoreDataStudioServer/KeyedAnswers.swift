#if Studio
import Synchronization

/// The last answers to requests with an idempotency key.
///
/// A page whose connection breaks before it has its answer, as all do when the machine's network changes, sends
/// the request again with the same key: what it asks for is done once.
final class KeyedAnswers: Sendable {
    private struct Entry: Sendable {
        let key: String
        let answer: Task<ServerResponse, Never>
    }

    private static let most = 64

    private let entries = Mutex<[Entry]>([])

    /// Returns the answer to a request: the one that was given, or is being made, if its key is known. A request
    /// with a key is carried out to its end, even if its page leaves.
    func answer(
        to key: String?, _ request: @escaping @Sendable () async -> ServerResponse
    ) async -> ServerResponse {
        guard let key else { return await request() }
        let answer = entries.withLock { entries in
            if let known = entries.first(where: { $0.key == key }) { return known.answer }
            let new = Entry(key: key, answer: Task { await request() })
            entries.append(new)
            if entries.count > Self.most { entries.removeFirst() }
            return new.answer
        }
        return await answer.value
    }
}
#endif
