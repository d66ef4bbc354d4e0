import Foundation

/// The recorder that registers the events of a context with an undo manager, and undoes them when the manager
/// asks for it.
final class UndoRecorder {
    let manager: UndoManager
    private unowned let context: NSManagedObjectContext
    private var checkpoint: (any NSObjectProtocol)?
    /// Whether changes are not recorded for now.
    private var isPaused = false

    init(_ manager: UndoManager, of context: NSManagedObjectContext) {
        self.manager = manager
        self.context = context
        // Changes that are not processed yet belong to the group that is open now.
        checkpoint = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { [link = context.link] _ in link.target?.processPendingChanges() }
    }

    /// Removes the recorded events from the manager. The context is passed in, since it may be
    /// deinitializing.
    func stop(for context: NSManagedObjectContext) {
        if let checkpoint { NotificationCenter.default.removeObserver(checkpoint) }
        checkpoint = nil
        manager.removeAllActions(withTarget: context)
    }

    func record(_ objects: some Sequence<NSManagedObject>) {
        guard !isPaused, manager.isUndoRegistrationEnabled else { return }
        register(UndoEvent(objects, in: context))
    }

    private func register(_ event: UndoEvent) {
        if event.isEmpty { return }
        manager.registerUndo(withTarget: context) { context in context.undoRecorder?.revert(event) }
    }

    private func revert(_ event: UndoEvent) {
        // The changes of the undo are not recorded, since its inverse is known already.
        let inverse = pause {
            defer { context.processPendingChanges() }
            return UndoApplication(context).revert(event)
        }
        register(inverse)
    }

    /// Runs `body` without recording the events that end in it.
    func pause<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasPaused = isPaused
        isPaused = true
        defer { isPaused = wasPaused }
        return try body()
    }
}
