/// A watcher that calls a handler when the value at a key path of an object has changed.
final class KeyPathWatcher<Root, Value> {
    private let keyPath: KeyPath<Root, Value>
    private let options: NSKeyValueObservingOptions
    private let handler: (Root, NSKeyValueObservedChange<Value>) -> Void
    private var last: Value

    init(
        _ object: Root, _ keyPath: KeyPath<Root, Value>, _ options: NSKeyValueObservingOptions,
        _ handler: @escaping (Root, NSKeyValueObservedChange<Value>) -> Void
    ) {
        self.keyPath = keyPath
        self.options = options
        self.handler = CallerIsolation.keeping(handler)
        last = object[keyPath: keyPath]
        if options.contains(.initial) { tell(object, old: nil, new: last) }
    }

    private func look(_ root: Root) {
        let (old, new) = (last, root[keyPath: keyPath])
        guard !isSame(old, new) else { return }
        last = new
        tell(root, old: old, new: new)
    }

    private func tell(_ object: Root, old: Value?, new: Value) {
        handler(
            object,
            NSKeyValueObservedChange(
                kind: .setting, newValue: options.contains(.new) ? new : nil,
                oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: false))
    }

    /// Returns whether two values are equal.
    ///
    /// Values of types that cannot be compared count as different.
    private func isSame(_ first: Value, _ second: Value) -> Bool {
        guard let first = first as? any Equatable else { return false }
        return first.isSame(as: second)
    }
}

extension KeyPathWatcher: ObjectWatcher {
    func look(at object: NSManagedObject) {
        if let root = object as? Root { look(root) }
    }
}

extension KeyPathWatcher: MigrationWatcher {
    func look(at manager: NSMigrationManager) {
        if let root = manager as? Root { look(root) }
    }
}

extension Equatable {
    fileprivate func isSame(as other: Any) -> Bool { (other as? Self) == self }
}
