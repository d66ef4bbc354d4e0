import Foundation

extension UndoManager {
    /// Prepares for `undo` or `redo`: ends the outermost group.
    ///
    /// Traps while undoing or redoing, and inside of nested groups.
    final func endOutermostGroup(_ method: String) {
        requireNotPerforming(method)
        post(.NSUndoManagerCheckpoint)
        if openGroups.count == 1 { endUndoGrouping() }
        guard openGroups.isEmpty else {
            programmerError(
                "\(method) was called with \(openGroups.count) undo groups open: call endUndoGrouping first.")
        }
    }

    final func baseUndoNestedGroup() {
        requireNotPerforming("undoNestedGroup")
        post(.NSUndoManagerCheckpoint)
        guard let group = takeGroupToUndo() else { return }
        post(.NSUndoManagerWillUndoChange)
        perform(group, .undo)
        post(.NSUndoManagerDidUndoChange)
    }

    final func redoLastGroup() {
        guard let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        perform(group, .redo)
        post(.NSUndoManagerDidRedoChange)
    }

    private final func takeGroupToUndo() -> UndoGroup? {
        guard let open = openGroups.last else { return undoStack.popLast() }
        if open.isEmpty { return nil }
        guard let group = open.removeLastGroup() else {
            programmerError(
                "undoNestedGroup was called after a registration in the open group: call endUndoGrouping first."
            )
        }
        return group
    }

    /// Runs a group's actions.
    ///
    /// The actions that they register in turn become one group on the other stack, if there are any.
    private final func perform(_ group: UndoGroup, _ direction: Direction) {
        let suspended = openGroups
        openGroups = []
        performing = direction
        open(UndoGroup(.performing(group)))
        group.perform()
        // Actions that begin groups and do not end them leave none behind.
        while !openGroups.isEmpty { endUndoGrouping() }
        performing = nil
        openGroups = suspended
    }

    private final func requireNotPerforming(_ method: String) {
        if performing != nil {
            programmerError("\(method) was called while undoing or redoing: an action cannot undo others.")
        }
    }
}
