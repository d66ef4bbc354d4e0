import Foundation

extension NSManagedObjectContext {
    /// Whether the changes of an event are told to an undo manager.
    final var recordsUndo: Bool { undoRecorder?.manager.isUndoRegistrationEnabled ?? false }

    final func setUndoManager(_ manager: UndoManager?) {
        guard manager !== undoRecorder?.manager else { return }
        undoRecorder?.stop(for: self)
        undoRecorder = manager.map { UndoRecorder($0, of: self) }
    }

    /// For changes that are not the user's: what a rollback, a merge or a merge policy does is not undone.
    final func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard let undoRecorder else { return try body() }
        return try undoRecorder.pause(body)
    }
}
