import Foundation

extension UndoManager {
    /// The open group that is to be undone once it is closed, if there is something in it.
    final var openUndoGroup: UndoGroup? { isUndoing ? nil : filledOpenGroup }
    /// The open group that is to be redone once it is closed, if there is something in it.
    final var openRedoGroup: UndoGroup? { isUndoing ? filledOpenGroup : nil }

    private final var filledOpenGroup: UndoGroup? {
        guard let group = openGroups.first else { return nil }
        return openGroups.contains { !$0.isEmpty } ? group : nil
    }

    final var nextUndo: UndoGroup? { openUndoGroup ?? undoStack.last }
    final var nextRedo: UndoGroup? { openRedoGroup ?? redoStack.last }

    /// The group to which the name and values of the latest action are added: the innermost open one, or the
    /// one that was closed last.
    final var groupToDescribe: UndoGroup? { openGroups.last ?? undoStack.last }

    /// Gives all open groups the same name, since only the outermost one's is shown and callers seldom know
    /// which group is the outermost.
    final func baseSetActionName(_ name: String) {
        for group in describedGroups { group.name = name }
    }

    final func baseSetActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
        for group in describedGroups { group.userInfo[key] = info }
    }

    private final var describedGroups: [UndoGroup] {
        openGroups.isEmpty ? undoStack.suffix(1) : openGroups
    }

    final func title(_ verb: String, _ actionName: String) -> String {
        actionName.isEmpty ? verb : "\(verb) \(actionName)"
    }
}
