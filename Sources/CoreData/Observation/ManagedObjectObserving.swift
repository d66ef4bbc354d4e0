/// A protocol of `NSManagedObject` alone, so that the key paths of `observe` start at the object's own class.
public protocol ManagedObjectObserving {}

extension NSManagedObject: ManagedObjectObserving {}

extension ManagedObjectObserving where Self: NSManagedObject {
    /// Calls a handler whenever the value at a key path of this object has become another.
    ///
    /// That is at once when the value is set, also by the other side of a relationship, and at the end of the
    /// event for refreshes, merges, rollbacks and undo. Call it on the context's queue; the handler is called
    /// there. Neither the object nor the observation is kept alive: keep both. An object without a context,
    /// or deleted, is not observed.
    ///
    /// The value is read now, which fills a fault, and after every change of the object.
    ///
    /// - Parameters:
    ///   - keyPath: A key path to any property, in the model or not.
    ///   - options: Which values the change has; `.initial` calls the handler at once.
    ///   - changeHandler: The handler.
    /// - Returns: The observation, which ends when it is freed or invalidated.
    ///
    /// Unlike Apple's: setting an equal value is no change, every change is a `.setting`, and `.prior` has no
    /// effect. A key path through a relationship is looked at when this object changes, not the one at its
    /// other side. There is no `addObserver(_:forKeyPath:)`.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let watcher = KeyPathWatcher(self, keyPath, options, changeHandler)
        managedObjectContext?.changeFeed.observe(self, with: watcher)
        return NSKeyValueObservation(watcher)
    }
}
