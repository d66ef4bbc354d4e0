import CoreDataSQL

/// The decision whether a write runs again, of which nothing was committed.
struct Repetition {
    private var conflicts = 0
    private var losses = 0
    /// The search for a server after one was lost.
    private var search: ServerSearch?
    private let patience: Duration

    /// How often a write runs again after a deadlock, and after its connection was lost.
    private static let limit = 3

    /// - Parameter timeout: The seconds for which a store waits for others.
    init(timeout: Double) { patience = min(.seconds(timeout), .seconds(30)) }

    /// Waits, if need be, and returns whether the write runs again.
    mutating func isDue(after error: SQLError) -> Bool {
        switch error.kind {
        case .serialization:
            conflicts += 1
            return conflicts <= Self.limit
        case .connectionLost:
            losses += 1
            if search == nil { search = ServerSearch(patience) }
            return losses <= Self.limit
        case .readOnly where search == nil:
            // The server has become a replica, and another one writes.
            search = ServerSearch(patience)
            return true
        case .readOnly, .cannotOpen: return search?.goesOn() ?? false
        default: return false
        }
    }
}
