/// Why a store cannot be synced.
public enum StoreSyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part of the model cannot be synced. Names the entity, the property and the reason.
    case model(String)
    /// The store cannot be synced. Says why.
    case store(String)
    /// Another synchronizer has the ledger open, in this process or another one. Names its lock.
    case busy(String)
    /// The ledger is damaged, or a later version has written it.
    case ledger(String)
    /// Nobody syncs the store: the synchronizer was not started, or it was stopped.
    case stopped
    /// The app has to decide first: `StoreSynchronizer.resolve(_:)`.
    case needsDecision(StoreDoubt)
    /// There is no such issue any more, or it is of another kind.
    case issue(String)

    /// The error in a sentence.
    public var description: String {
        switch self {
        case .model(let problem): "The model cannot be synced: \(problem)."
        case .store(let problem): "The store cannot be synced: \(problem)."
        case .busy(let path): "Another synchronizer syncs the store; it holds \(path)."
        case .ledger(let problem): "The ledger cannot be read: \(problem)."
        case .stopped: "The store is not being synced."
        case .needsDecision(let doubt): "The app has to decide how to go on: \(doubt)."
        case .issue(let problem): "The issue cannot be settled: \(problem)."
        }
    }
}

/// Why a store and its ledger do not belong together, so that nothing is synced until the app has decided.
public enum StoreDoubt: String, Hashable, Sendable, CustomStringConvertible {
    /// The store is another one than the ledger's.
    case otherStore
    /// The store was synced with a ledger that is not there.
    case ledgerLost

    /// The error in a sentence.
    public var description: String {
        switch self {
        case .otherStore: "the ledger is that of another store"
        case .ledgerLost: "the store was synced by a ledger that is gone"
        }
    }
}

/// How to go on with a store that does not fit its ledger.
///
/// Objects of the store that the server has are found by `SyncIdentity`, by unique values, or by all of their
/// values, and get what the server has; values that differ are in the issues. Edits that wait in the ledger
/// are sent in any case.
public enum StoreDecision: Hashable, Sendable {
    /// Sends what only the store has as new objects.
    case uploadAsNew
    /// Deletes what only the store has. The values are in the issues.
    case replaceByServer
}
