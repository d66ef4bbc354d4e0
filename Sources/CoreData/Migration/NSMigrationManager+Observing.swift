/// An observer of a manager while it migrates.
protocol MigrationWatcher: AnyObject {
    func look(at manager: NSMigrationManager)
}

/// The observers of a manager, added on any thread and held weakly.
final class MigrationWatchers: Sendable {
    private struct Entry {
        weak var watcher: (any MigrationWatcher)?
    }

    private let entries = Guarded<[Entry]>([])

    func add(_ watcher: any MigrationWatcher) {
        entries.withLock { entries in
            entries.removeAll { $0.watcher == nil }
            entries.append(Entry(watcher: watcher))
        }
    }

    func look(at manager: NSMigrationManager) {
        for entry in entries.withLock({ $0 }) { entry.watcher?.look(at: manager) }
    }
}

/// The observing of a migration manager by key path: a protocol, so that key paths start at the manager's own
/// class.
public protocol MigrationManagerObserving {}

extension NSMigrationManager: MigrationManagerObserving {}

extension MigrationManagerObserving where Self: NSMigrationManager {
    /// Calls the handler whenever `migrationProgress` or `currentEntityMapping` has another value, on the
    /// thread that migrates.
    ///
    /// Neither the manager nor the observation is kept alive: keep references to both. Other key paths are
    /// read when one of the two changes.
    ///
    /// Unlike Apple's: there is no `addObserver(_:forKeyPath:)`.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let watcher = KeyPathWatcher(self, keyPath, options, changeHandler)
        watchers.add(watcher)
        return NSKeyValueObservation(watcher)
    }
}
