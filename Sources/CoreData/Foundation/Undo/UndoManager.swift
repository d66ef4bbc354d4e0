public import Foundation

/// A record of how to undo what a program does, and how to redo what was undone.
///
/// Registrations are collected in groups, and a group is undone as a whole. A manager belongs to one thread
/// or queue at a time. The class body has the methods that subclasses override; the implementation is in the
/// extensions `+Grouping`, `+Performing` and `+Naming`.
///
/// Unlike Apple's: the group of an event ends with the pass of the thread's run loop, or with the next block
/// of the main queue, where one of them runs; on other threads `undo` and `redo` end it. A group that is
/// begun explicitly, while none is open, is not nested in a group of the event, even with `groupsByEvent`. An
/// action whose target was freed does nothing, where Apple's crashes. Calls are not recorded:
/// `prepare(withInvocationTarget:)` is unavailable.
open class UndoManager: NSObject {
    /// A key of a value that an app attaches to what can be undone.
    public struct UserInfoKey: Hashable, RawRepresentable, Sendable {
        /// The key as a string.
        public let rawValue: String
        /// Makes a key.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Makes a key.
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    enum Direction {
        case undo, redo
    }

    /// Closed groups, the next to be undone last.
    final var undoStack: [UndoGroup] = []
    final var redoStack: [UndoGroup] = []
    /// Open groups, from the outermost to the one that takes registrations.
    final var openGroups: [UndoGroup] = []
    final var performing: Direction?
    final var disabledCount = 0

    /// Makes a manager with nothing to undo.
    public override init() { super.init() }

    // MARK: Registering

    /// Records a closure that undoes a change or, while undoing, redoes it.
    ///
    /// The target is not kept alive; once it is freed, its actions do nothing. Traps if no group is open and
    /// none is begun by event.
    ///
    /// - Parameters:
    ///   - target: The object that the closure is given.
    ///   - handler: The closure. Actions that it registers are the counterpart.
    open func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        register(UndoAction(target, handler))
    }

    /// Records a method that undoes a change or, while undoing, redoes it, with its argument.
    ///
    /// The target is not kept alive. Traps if the selector holds no method, as those made of a name alone do,
    /// and if no group is open and none is begun by event.
    open func registerUndo(withTarget target: Any, selector: Selector, object anObject: Any?) {
        let method = selector.requiredMethod("registerUndo(withTarget:selector:object:)")
        register(UndoAction(target as AnyObject) { method.call($0, anObject) })
    }

    /// Traps: calls cannot be recorded on Linux.
    ///
    /// Use `registerUndo(withTarget:handler:)`.
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

    /// Whether registrations count; true by default.
    open var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

    /// Forgets everything that could be undone or redone, and enables registration.
    ///
    /// Open groups stay open, empty.
    open func removeAllActions() { baseRemoveAllActions() }

    /// Forgets all actions of a target, and the groups that become empty.
    open func removeAllActions(withTarget target: Any) {
        baseRemoveAllActions(withTarget: target as AnyObject)
    }

    // MARK: Grouping

    /// Whether the first registration outside of a group begins one that ends with the event; true by
    /// default.
    open var groupsByEvent = true
    /// The modes of the run loop in which an event ends.
    open var runLoopModes: [RunLoop.Mode] = [.default]
    /// The number of groups that are kept; 0, the default, keeps all.
    ///
    /// The oldest groups are dropped first.
    open var levelsOfUndo = 0 {
        didSet { discardOldest() }
    }

    /// The number of open groups, one within the other.
    open var groupingLevel: Int { openGroups.count }

    /// Begins a group, within the one that is open if there is one.
    open func beginUndoGrouping() { baseBeginUndoGrouping() }

    /// Ends the innermost group, also when nothing was registered in it: undoing it then does nothing.
    ///
    /// Traps if no group is open.
    open func endUndoGrouping() { baseEndUndoGrouping() }

    // MARK: Undoing and redoing

    /// Whether there is something to undo, also in a group that is still open.
    open var canUndo: Bool { nextUndo != nil }

    /// Whether there is something to redo.
    ///
    /// Posts `NSUndoManagerCheckpoint` first, so that observers can register changes, which leave nothing to
    /// redo.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return nextRedo != nil
    }

    /// The number of groups that can be undone.
    open var undoCount: Int { undoStack.count + (openUndoGroup == nil ? 0 : 1) }
    /// The number of groups that can be redone.
    open var redoCount: Int { redoStack.count + (openRedoGroup == nil ? 0 : 1) }

    /// Whether a group is being undone.
    open var isUndoing: Bool { performing == .undo }
    /// Whether a group is being redone.
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
    open func undoNestedGroup() { baseUndoNestedGroup() }

    // MARK: Names and values of the next action

    /// Names what the open groups do; an empty string for no name.
    ///
    /// Unlike Apple's: outside of any group it names the one that was closed last.
    open func setActionName(_ actionName: String) { baseSetActionName(actionName) }

    /// The name of what would be undone; empty if there is none.
    open var undoActionName: String { nextUndo?.name ?? "" }
    /// The name of what would be redone; empty if there is none.
    open var redoActionName: String { nextRedo?.name ?? "" }

    /// "Undo", and the name of what would be undone.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    /// "Redo", and the name of what would be redone.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// Returns "Undo" and a name.
    ///
    /// An override may translate it.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String { title("Undo", actionName) }
    /// Returns "Redo" and a name.
    ///
    /// An override may translate it.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String { title("Redo", actionName) }

    /// Marks the latest action as one that may be lost without harm, such as one that scrolls, or removes the
    /// mark.
    open func setActionIsDiscardable(_ discardable: Bool) {
        groupToDescribe?.markLatest(asDiscardable: discardable)
    }

    /// Whether all actions that would be undone may be lost without harm.
    open var undoActionIsDiscardable: Bool { nextUndo?.isDiscardable ?? false }
    /// Whether all actions that would be redone may be lost without harm.
    open var redoActionIsDiscardable: Bool { nextRedo?.isDiscardable ?? false }

    /// Attaches a value to the group that `setActionName(_:)` would name; nil removes it.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
        baseSetActionUserInfoValue(info, forKey: key)
    }

    /// Returns a value that is attached to what would be undone.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextUndo?.userInfo[key] }
    /// Returns a value that is attached to what would be redone.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextRedo?.userInfo[key] }
}

extension UndoManager {
    final func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}
