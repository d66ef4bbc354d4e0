import Foundation

/// Tells an undo manager what the events of a context changed, and takes events back when it says so.
final class UndoRecorder {
    let manager: UndoManager
    private unowned let context: NSManagedObjectContext
    private var checkpoint: (any NSObjectProtocol)?
    /// Whether the changes of the present are not for undoing.
    private var isPaused = false

    init(_ manager: UndoManager, of context: NSManagedObjectContext) {
        self.manager = manager
        self.context = context
        // Changes that are not processed yet belong to the group that is open now.
        checkpoint = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { [link = context.link] _ in link.target?.processPendingChanges() }
    }

    /// Has the manager forget what was recorded. Takes the context, which may be on its way out.
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
        // An undo has its inverse, which is known already.
        let inverse = pause {
            defer { context.processPendingChanges() }
            return UndoApplication(context).revert(event)
        }
        register(inverse)
    }

    /// Events that end within `body` are not recorded.
    func pause<Result>(_ body: () throws -> Result) rethrows -> Result {
        let wasPaused = isPaused
        isPaused = true
        defer { isPaused = wasPaused }
        return try body()
    }
}
