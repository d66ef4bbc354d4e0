import Foundation

extension NSManagedObjectContext {
    /// Whether the changes of an event are told to an undo manager.
    final var recordsUndo: Bool { undoRecorder?.manager.isUndoRegistrationEnabled ?? false }

    final func setUndoManager(_ manager: UndoManager?) {
        guard manager !== undoRecorder?.manager else { return }
        undoRecorder?.stop(for: self)
        undoRecorder = manager.map { UndoRecorder($0, of: self) }
    }
}

/// Tells an undo manager what the events of a context changed, and takes events back when it says so.
final class UndoRecorder {
    let manager: UndoManager
    private unowned let context: NSManagedObjectContext
    private var checkpoint: (any NSObjectProtocol)?
    /// Whether the event that ends is an undo itself, whose inverse is known.
    private var isReverting = false

    init(_ manager: UndoManager, of context: NSManagedObjectContext) {
        self.manager = manager
        self.context = context
        // Changes that are not processed yet belong to the group that is open now.
        checkpoint = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { [weak context] _ in context?.processPendingChanges() }
    }

    /// Has the manager forget what was recorded. Takes the context, which may be on its way out.
    func stop(for context: NSManagedObjectContext) {
        if let checkpoint { NotificationCenter.default.removeObserver(checkpoint) }
        checkpoint = nil
        manager.removeAllActions(withTarget: context)
    }

    func record(_ objects: some Sequence<NSManagedObject>) {
        guard !isReverting, manager.isUndoRegistrationEnabled else { return }
        register(UndoEvent(objects, in: context))
    }

    private func register(_ event: UndoEvent) {
        if event.isEmpty { return }
        manager.registerUndo(withTarget: context) { context in context.undoRecorder?.revert(event) }
    }

    private func revert(_ event: UndoEvent) {
        isReverting = true
        let inverse = UndoApplication(context).revert(event)
        context.processPendingChanges()
        isReverting = false
        register(inverse)
    }
}
