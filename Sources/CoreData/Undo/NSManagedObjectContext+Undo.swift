import Foundation

extension NSManagedObjectContext {
    /// Whether the changes of events are registered with an undo manager.
    final var recordsUndo: Bool { undoRecorder?.manager.isUndoRegistrationEnabled ?? false }

    final func setUndoManager(_ manager: UndoManager?) {
        guard manager !== undoRecorder?.manager else { return }
        undoRecorder?.stop(for: self)
        undoRecorder = manager.map { UndoRecorder($0, of: self) }
    }

    /// Runs `body` without recording its changes for undo: those of a rollback, a merge or a merge policy,
    /// which are not the user's.
    final func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let undoRecorder else { return try body() }
        return try undoRecorder.pause(body)
    }
}
