/// A protocol to which only `NSManagedObject` conforms, so that the key paths of `observe` start at the
/// object's own class.
public protocol ManagedObjectObserving {}

extension NSManagedObject: ManagedObjectObserving {}

extension ManagedObjectObserving where Self: NSManagedObject {
    /// Calls a handler whenever the value at a key path of this object has changed.
    ///
    /// The handler is called at once when the value is set, also through the other side of a relationship,
    /// and at the end of the event after refreshes, merges, rollbacks and undo. Call the method on the
    /// context's queue; the handler is called there. Neither the object nor the observation is kept alive:
    /// keep both. An object that is deleted or has no context is not observed.
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
    /// effect. A key path through a relationship is checked when this object changes, not when the
    /// destination does. There is no `addObserver(_:forKeyPath:)`.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let watcher = KeyPathWatcher(self, keyPath, options, changeHandler)
        managedObjectContext?.changeFeed.observe(self, with: watcher)
        return NSKeyValueObservation(watcher)
    }
}
