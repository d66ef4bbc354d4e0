/// The record of one registration.
///
/// It does not keep its target alive, and does nothing once the target is freed.
struct UndoAction {
    private weak var target: AnyObject?
    private let handler: () -> Void
    var isDiscardable = false

    init<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target) -> Void) {
        self.target = target
        let handler = CallerIsolation.keeping(handler)
        self.handler = { [weak target] in
            if let target { handler(target) }
        }
    }

    func isOf(_ object: AnyObject) -> Bool { target === object }

    func perform() { handler() }
}

/// A group of actions and closed groups, in the order in which they were registered, undone and redone
/// together.
final class UndoGroup {
    enum Origin {
        /// `beginUndoGrouping()`. It goes on the stack even when it is empty.
        case caller
        /// The first registration of an event.
        case event
        /// The undoing or redoing of another group, whose counterpart this is.
        case performing(UndoGroup)
    }

    enum Entry {
        case action(UndoAction)
        case group(UndoGroup)
    }

    let origin: Origin
    private(set) var entries: [Entry] = []
    var name = ""
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]

    init(_ origin: Origin) {
        self.origin = origin
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether the group has actions, and all of them may be discarded.
    var isDiscardable: Bool {
        !isEmpty
            && entries.allSatisfy { entry in
                switch entry {
                case .action(let action): action.isDiscardable
                case .group(let group): group.isDiscardable
                }
            }
    }

    func append(_ action: UndoAction) { entries.append(.action(action)) }

    /// Adds a group that was closed, unless it is empty, so that undoing it would do nothing.
    func append(_ group: UndoGroup) {
        if !group.isEmpty { entries.append(.group(group)) }
    }

    /// Removes and returns the nested group that was closed last.
    func removeLastGroup() -> UndoGroup? {
        guard case .group(let group) = entries.last else { return nil }
        entries.removeLast()
        return group
    }

    /// Performs the actions, the last one first.
    func perform() {
        for entry in entries.reversed() {
            switch entry {
            case .action(let action): action.perform()
            case .group(let group): group.perform()
            }
        }
    }

    /// Marks the latest action, at any depth, as one that may or may not be discarded.
    func markLatest(asDiscardable isDiscardable: Bool) {
        switch entries.last {
        case .action(var action):
            action.isDiscardable = isDiscardable
            entries[entries.count - 1] = .action(action)
        case .group(let group): group.markLatest(asDiscardable: isDiscardable)
        case nil: break
        }
    }

    /// Takes the name and the entries of the group that was undone, except those that this one was given
    /// itself.
    func takeOver(from other: UndoGroup) {
        if name.isEmpty { name = other.name }
        userInfo.merge(other.userInfo) { own, _ in own }
        if other.isDiscardable { markAllDiscardable() }
    }

    private func markAllDiscardable() {
        entries = entries.map { entry in
            switch entry {
            case .action(var action):
                action.isDiscardable = true
                return .action(action)
            case .group(let group):
                group.markAllDiscardable()
                return entry
            }
        }
    }

    func removeAll() { entries.removeAll() }

    func removeActions(of target: AnyObject) {
        entries.removeAll { entry in
            switch entry {
            case .action(let action): return action.isOf(target)
            case .group(let group):
                group.removeActions(of: target)
                return group.isEmpty
            }
        }
    }
}
