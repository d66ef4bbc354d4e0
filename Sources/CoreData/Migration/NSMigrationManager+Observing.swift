/// Looks at a manager while it migrates.
protocol MigrationWatcher: AnyObject {
    func look(at manager: NSMigrationManager)
}

/// Those who watch a manager, from whatever thread they come. They are not kept alive.
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

/// Observing by key path, in a protocol so that key paths start at the manager's own class.
public protocol MigrationManagerObserving {}

extension NSMigrationManager: MigrationManagerObserving {}

extension MigrationManagerObserving where Self: NSMigrationManager {
    /// Calls the handler whenever `migrationProgress` or `currentEntityMapping` has become another, on the thread that
    /// migrates. Neither the manager nor the observation is kept alive: hold on to both.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let watcher = KeyPathWatcher(self, keyPath, options, changeHandler)
        watchers.add(watcher)
        return NSKeyValueObservation(watcher)
    }
}
