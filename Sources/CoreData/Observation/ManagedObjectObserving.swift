/// Observing by key path, in a protocol so that key paths start at the object's own class.
public protocol ManagedObjectObserving {}

extension NSManagedObject: ManagedObjectObserving {}

extension ManagedObjectObserving where Self: NSManagedObject {
    /// Calls the handler whenever the value at a key path of this object has become another: at once when it
    /// is set, also by the other side of a relationship, and at the end of the event for refreshes, merges,
    /// rollbacks and undo.
    ///
    /// The value is read now, which fills a fault, and after every change of the object. Properties that are
    /// not in the model and lead on to other objects count when this object changes. Setting an equal value
    /// is no change. Objects without a context, and once they are deleted, are not observed. Neither the
    /// object nor the observation is kept alive: hold on to both. Called on the context's queue, as the
    /// handler is.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let watcher = KeyPathWatcher(self, keyPath, options, changeHandler)
        managedObjectContext?.changeFeed.observe(self, with: watcher)
        return NSKeyValueObservation(watcher)
    }
}
