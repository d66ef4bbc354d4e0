public import Foundation

/// Records how to undo what a program does, and how to redo what was undone.
///
/// Registrations are collected in groups, and a group is undone as a whole. With `groupsByEvent`, the
/// default, the first registration outside of a group begins one that ends with the event: with the pass of
/// the thread's run loop if one runs, otherwise when the main queue gets to run its next block, and in any
/// case before `undo` or `redo`. Where neither runs, such as on a queue of one's own, `undo` and `redo` end
/// it.
///
/// A manager belongs to one thread or queue at a time. The class body is what subclasses override; what it
/// does lies in the extensions `+Grouping`, `+Performing` and `+Naming`.
open class UndoManager: NSObject {
    /// Names a value that an app attaches to what can be undone.
    public struct UserInfoKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    enum Direction {
        case undo, redo
    }

    /// Closed groups, the next to be undone last.
    final var undoStack: [UndoGroup] = []
    final var redoStack: [UndoGroup] = []
    /// From the outermost to the one that takes registrations.
    final var openGroups: [UndoGroup] = []
    final var performing: Direction?
    final var disabledCount = 0

    public override init() { super.init() }

    // MARK: Registering

    /// Records what undoes, or while undoing redoes, a change.
    ///
    /// The target is not kept alive; once it is gone, its actions do nothing. Traps if no group is open and
    /// none is begun by event.
    open func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        register(UndoAction(target, handler))
    }

    /// Records a method that undoes, or while undoing redoes, a change, with what it is to be called with.
    ///
    /// The target is not kept alive. Traps if the selector holds no method, as those by name alone do.
    open func registerUndo(withTarget target: Any, selector: Selector, object anObject: Any?) {
        let method = selector.requiredMethod("registerUndo(withTarget:selector:object:)")
        register(UndoAction(target as AnyObject) { method.call($0, anObject) })
    }

    @available(
        *, unavailable, message: "Calls cannot be recorded on Linux: use registerUndo(withTarget:handler:)."
    )
    open func prepare(withInvocationTarget target: Any) -> Any {
        programmerError("UndoManager cannot record calls: use registerUndo(withTarget:handler:).")
    }

    /// Has registrations ignored until `enableUndoRegistration()` was called as often.
    open func disableUndoRegistration() { disabledCount += 1 }

    /// Takes back one `disableUndoRegistration()`; traps if there is none.
    open func enableUndoRegistration() {
        guard disabledCount > 0 else {
            programmerError("enableUndoRegistration was called without a disableUndoRegistration before it.")
        }
        disabledCount -= 1
    }

    open var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

    /// Forgets everything that could be undone or redone, and enables registration.
    ///
    /// Open groups stay open, empty.
    open func removeAllActions() { forgetActions() }

    /// Forgets what was registered with a target, and groups that held nothing else.
    open func removeAllActions(withTarget target: Any) { forgetActions(of: target as AnyObject) }

    // MARK: Grouping

    /// Whether the first registration outside of a group begins one that ends with the event.
    open var groupsByEvent = true
    /// The modes of the run loop in which an event ends.
    open var runLoopModes: [RunLoop.Mode] = [.default]
    /// How many groups are kept; 0 for all of them.
    ///
    /// The oldest go.
    open var levelsOfUndo = 0 {
        didSet { discardOldest() }
    }

    /// How many groups are open, one within the other.
    open var groupingLevel: Int { openGroups.count }

    /// Begins a group, within the one that is open if there is one.
    open func beginUndoGrouping() { beginGroup() }

    /// Ends the innermost group, also when nothing was registered in it: undoing it then does nothing.
    ///
    /// Traps if no group is open.
    open func endUndoGrouping() { endGroup() }

    // MARK: Undoing and redoing

    /// Whether there is something to undo, be it in a group that is still open.
    open var canUndo: Bool { nextUndo != nil }

    /// Whether there is something to redo, after everybody had the chance to register changes, which end
    /// that.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return nextRedo != nil
    }

    /// How many groups can be undone.
    open var undoCount: Int { undoStack.count + (openUndoGroup == nil ? 0 : 1) }
    /// How many groups can be redone.
    open var redoCount: Int { redoStack.count + (openRedoGroup == nil ? 0 : 1) }

    open var isUndoing: Bool { performing == .undo }
    open var isRedoing: Bool { performing == .redo }

    /// Ends an open group and undoes the last one.
    ///
    /// Traps inside of nested groups, and while undoing or redoing.
    open func undo() {
        endOutermostGroup("undo")
        undoNestedGroup()
    }

    /// Redoes what was undone last.
    ///
    /// Traps inside of nested groups, and while undoing or redoing.
    open func redo() {
        endOutermostGroup("redo")
        redoLastGroup()
    }

    /// Undoes the group that was closed last, which may lie in one that is open.
    ///
    /// Traps while undoing or redoing, and if something was registered in the open group since.
    open func undoNestedGroup() { undoLastGroup() }

    // MARK: Names and more about the next action

    /// Names what the open groups do, or, if none is open, the group that was closed last.
    ///
    /// Empty for no name.
    open func setActionName(_ actionName: String) { name(actionName) }

    open var undoActionName: String { nextUndo?.name ?? "" }
    open var redoActionName: String { nextRedo?.name ?? "" }

    /// "Undo", and the name of what would be undone.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    open func undoMenuTitle(forUndoActionName actionName: String) -> String { title("Undo", actionName) }
    open func redoMenuTitle(forUndoActionName actionName: String) -> String { title("Redo", actionName) }

    /// Whether the latest action may be lost without harm, such as one that scrolls.
    open func setActionIsDiscardable(_ discardable: Bool) {
        groupToDescribe?.markLatest(asDiscardable: discardable)
    }

    /// Whether all that would be undone may be lost without harm.
    open var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }
    open var redoActionIsDiscardable: Bool { nextRedo?.isDiscardable ?? false }

    /// Attaches a value to the group that `setActionName(_:)` would name.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { attach(info, key) }

    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextRedo?.userInfo[key] }
}

extension UndoManager {
    final func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}
