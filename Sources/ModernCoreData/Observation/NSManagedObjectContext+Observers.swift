public import CoreData

/// Observes a context's notifications, with typed properties instead of keys.
///
/// Handlers are called on the context's queue, where the notification is posted. Observing ends only when the
/// token is given to `NotificationCenter.default.removeObserver(_:)`. To follow a context with `await`, from
/// any queue, use its `changes()`.
extension NSManagedObjectContext {
    /// Calls the handler after each save of this context.
    public func addContextDidSaveNotificationObserver(
        _ handler: @escaping (ContextDidSaveNotification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(handler)
    }

    /// Calls the handler before each save of this context; changes that the handler makes are saved as well.
    public func addContextWillSaveNotificationObserver(
        _ handler: @escaping (ContextWillSaveNotification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(handler)
    }

    /// Calls the handler after each event of this context in which something changed.
    public func addObjectsDidChangeNotificationObserver(
        _ handler: @escaping (ObjectsDidChangeNotification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(handler)
    }

    /// Calls the handler with the IDs of the changed objects after each save of this context.
    public func addContextDidSaveObjectIDsNotificationObserver(
        _ handler: @escaping (ContextDidSaveObjectIDsNotification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(handler)
    }

    /// Calls the handler with the IDs of the merged objects each time this context has merged changes of
    /// another one.
    public func addContextDidMergeObjectIDsNotificationObserver(
        _ handler: @escaping (ContextDidMergeObjectIDsNotification) -> Void
    ) -> any NSObjectProtocol {
        addObserver(handler)
    }

    /// Schedules a merge of another context's saved changes on this context's queue, and returns at once.
    public func performMergeChanges(from note: ContextDidSaveNotification) {
        perform { self.mergeChanges(fromContextDidSave: note.notification) }
    }

    private func addObserver<Typed: ContextNotification>(
        _ handler: @escaping (Typed) -> Void
    ) -> any NSObjectProtocol {
        let handler = CallerIsolation.keeping(handler)
        nonisolated(unsafe) let tell = { (note: Notification) in handler(Typed(note: note)) }
        return NotificationCenter.default.addObserver(forName: Typed.name, object: self, queue: nil) {
            tell($0)
        }
    }
}
