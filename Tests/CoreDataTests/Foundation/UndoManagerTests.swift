import CoreData
import Foundation
import Testing

/// A list that registers the undo of its changes.
final class UndoableList {
    private(set) var items: [String] = []
    let manager: UndoManager

    init(_ manager: UndoManager) {
        self.manager = manager
    }

    func append(_ item: String) {
        items.append(item)
        manager.registerUndo(withTarget: self) { $0.removeLast() }
    }

    func removeLast() {
        let item = items.removeLast()
        manager.registerUndo(withTarget: self) { $0.append(item) }
    }
}

@Suite("Undo managers")
struct UndoManagerTests {
    private let manager = UndoManager()
    private let list: UndoableList

    init() {
        list = UndoableList(manager)
    }

    private func group(_ body: () -> Void) {
        manager.beginUndoGrouping()
        body()
        manager.endUndoGrouping()
    }

    @Test("A new manager has nothing to undo, groups by event and has registration enabled")
    func defaults() {
        #expect(!manager.canUndo)
        #expect(!manager.canRedo)
        #expect(!manager.isUndoing)
        #expect(!manager.isRedoing)
        #expect(manager.groupsByEvent)
        #expect(manager.isUndoRegistrationEnabled)
        #expect(manager.levelsOfUndo == 0)
        #expect(manager.groupingLevel == 0)
        #expect(manager.runLoopModes == [.default])
        manager.undo()
        manager.redo()
        #expect(manager.undoCount == 0)
        #expect(manager.redoCount == 0)
    }

    @Test("Undone actions can be redone, and undone again")
    func undoAndRedo() {
        group { list.append("a") }
        group { list.append("b") }
        manager.undo()
        #expect(list.items == ["a"])
        #expect(manager.canUndo)
        #expect(manager.canRedo)
        manager.undo()
        #expect(list.items == [])
        #expect(!manager.canUndo)
        #expect(manager.redoCount == 2)
        manager.redo()
        manager.redo()
        #expect(list.items == ["a", "b"])
        #expect(!manager.canRedo)
        #expect(manager.undoCount == 2)
        manager.undo()
        #expect(list.items == ["a"])
    }

    @Test("A group is undone as a whole, last action first, including nested groups")
    func groupsAsAWhole() {
        group {
            list.append("a")
            group {
                list.append("b")
                list.append("c")
                #expect(manager.groupingLevel == 2)
            }
            list.removeLast()
            list.append("d")
        }
        #expect(list.items == ["a", "b", "d"])
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(list.items == [])
        manager.redo()
        #expect(list.items == ["a", "b", "d"])
    }

    @Test("Undoing a nested group undoes the group closed last and leaves the outer one open")
    func nestedUndo() {
        manager.beginUndoGrouping()
        group { list.append("a") }
        group { list.append("b") }
        manager.undoNestedGroup()
        #expect(list.items == ["a"])
        #expect(manager.groupingLevel == 1)
        #expect(manager.redoCount == 1)
        manager.endUndoGrouping()
        manager.undo()
        #expect(list.items == [])
    }

    @Test("A new registration clears the redo stack")
    func newBranch() {
        group { list.append("a") }
        manager.undo()
        #expect(manager.canRedo)
        group { list.append("b") }
        #expect(!manager.canRedo)
        manager.redo()
        #expect(list.items == ["b"])
    }

    @Test("Actions registered outside of a group form a group that undo closes")
    func eventWithoutRunLoop() {
        list.append("a")
        list.append("b")
        #expect(manager.groupingLevel == 1)
        #expect(manager.canUndo)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(list.items == [])
        #expect(manager.groupingLevel == 0)
        manager.redo()
        #expect(list.items == ["a", "b"])
    }

    @Test("On the main queue, an event's group ends with the event")
    @MainActor func eventOfTheMainQueue() async {
        list.append("a")
        list.append("b")
        #expect(manager.groupingLevel == 1)
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(manager.groupingLevel == 0)
        list.append("c")
        manager.undo()
        #expect(list.items == ["a", "b"])
        manager.undo()
        #expect(list.items == [])
    }

    @Test("On a run loop, an event's group ends with the loop's pass in the given modes")
    func eventOfARunLoop() {
        nonisolated(unsafe) var levels: [Int] = []
        nonisolated(unsafe) let (list, manager) = (list, manager)
        let finished = DispatchSemaphore(value: 0)
        let mode = RunLoop.Mode("list")
        manager.runLoopModes = [mode]
        Thread.detachNewThread {
            let loop = RunLoop.current
            let timer = Timer(timeInterval: 1000, repeats: false) { _ in }
            for each in [RunLoop.Mode.default, mode] { loop.add(timer, forMode: each) }
            loop.perform(inModes: [.default]) {
                list.append("a")
                levels.append(manager.groupingLevel)
            }
            _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
            levels.append(manager.groupingLevel)
            _ = loop.run(mode: mode, before: Date(timeIntervalSinceNow: 0.02))
            levels.append(manager.groupingLevel)
            finished.signal()
        }
        finished.wait()
        #expect(levels == [1, 1, 0])
    }

    @Test("Groups beyond the levels of undo are dropped, oldest first")
    func levels() {
        manager.levelsOfUndo = 3
        for item in ["a", "b", "c", "d", "e"] { group { list.append(item) } }
        #expect(manager.undoCount == 3)
        manager.levelsOfUndo = 2
        #expect(manager.undoCount == 2)
        while manager.canUndo { manager.undo() }
        #expect(list.items == ["a", "b", "c"])
        #expect(manager.redoCount == 2)
    }

    @Test("Disabled registration records nothing, and disabling is counted")
    func disabling() {
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        list.append("a")
        manager.enableUndoRegistration()
        list.append("b")
        #expect(!manager.isUndoRegistrationEnabled)
        #expect(!manager.canUndo)
        #expect(manager.groupingLevel == 0)
        manager.enableUndoRegistration()
        list.append("c")
        manager.undo()
        #expect(list.items == ["a", "b"])
    }

    @Test("Removing all actions forgets everything and enables registration")
    func removingAll() {
        group { list.append("a") }
        group { list.append("b") }
        manager.undo()
        manager.disableUndoRegistration()
        list.append("c")
        manager.removeAllActions()
        #expect(!manager.canUndo)
        #expect(!manager.canRedo)
        #expect(manager.isUndoRegistrationEnabled)
        list.append("d")
        manager.removeAllActions()
        #expect(!manager.canUndo)
        manager.undo()
        #expect(list.items == ["a", "c", "d"])
        #expect(manager.undoCount == 0)
    }

    @Test("Removing a target's actions keeps other targets' actions and leaves no empty groups")
    func removingTarget() {
        let other = UndoableList(manager)
        group { list.append("a") }
        group {
            other.append("x")
            group { list.append("b") }
        }
        manager.removeAllActions(withTarget: list)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(list.items == ["a", "b"])
        #expect(other.items == [])
    }

    @Test("Targets are not kept alive, and actions of freed targets do nothing")
    func weakTargets() {
        weak var gone: UndoableList?
        do {
            let brief = UndoableList(manager)
            gone = brief
            group {
                list.append("a")
                brief.append("x")
            }
        }
        #expect(gone == nil)
        manager.undo()
        #expect(list.items == [])
    }

    @Test("An empty group opened by the app stays on the stack, but that of an empty event does not")
    func emptyGroups() {
        group {}
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(manager.undoCount == 0)
        #expect(!manager.canRedo)
    }

    @Test("Groups that an action leaves open end with the undo")
    func unbalancedActions() {
        group {
            manager.registerUndo(withTarget: list) {
                $0.manager.beginUndoGrouping()
                $0.append("a")
            }
        }
        manager.undo()
        #expect(manager.groupingLevel == 0)
        #expect(manager.redoCount == 1)
        manager.redo()
        #expect(list.items == [])
    }
}

@Suite("Undo managers: names and notifications")
struct UndoManagerNamingTests {
    private let manager = UndoManager()
    private let list: UndoableList

    init() {
        list = UndoableList(manager)
    }

    @Test("Action names appear in menu titles, and pass from undo to redo and back")
    func names() {
        #expect(manager.undoMenuItemTitle == "Undo")
        #expect(manager.redoMenuItemTitle == "Redo")
        list.append("a")
        manager.setActionName("Typing")
        #expect(manager.undoActionName == "Typing")
        #expect(manager.undoMenuItemTitle == "Undo Typing")
        manager.undo()
        #expect(manager.undoActionName == "")
        #expect(manager.redoMenuItemTitle == "Redo Typing")
        manager.redo()
        #expect(manager.undoActionName == "Typing")
        #expect(manager.redoActionName == "")
        manager.setActionName("")
        #expect(manager.undoMenuItemTitle == "Undo")
        #expect(manager.redoMenuTitle(forUndoActionName: "Cut") == "Redo Cut")
    }

    @Test("A name given in a nested group names the whole group")
    func nestedNames() {
        manager.beginUndoGrouping()
        manager.beginUndoGrouping()
        list.append("a")
        manager.setActionName("Paste")
        manager.endUndoGrouping()
        manager.endUndoGrouping()
        #expect(manager.undoActionName == "Paste")
        manager.setActionName("Paste Twice")
        #expect(manager.undoActionName == "Paste Twice")
    }

    @Test("The counterpart of an action keeps its own name")
    func nameOfTheCounterpart() {
        manager.registerUndo(withTarget: list) {
            $0.append("a")
            $0.manager.setActionName("Other")
        }
        manager.setActionName("One")
        manager.undo()
        #expect(manager.redoActionName == "Other")
    }

    @Test("A group is discardable if all its actions are, and so is its redo group")
    func discardable() {
        list.append("a")
        manager.setActionIsDiscardable(true)
        #expect(manager.undoActionIsDiscardable)
        list.append("b")
        #expect(!manager.undoActionIsDiscardable)
        manager.setActionIsDiscardable(true)
        manager.undo()
        #expect(manager.redoActionIsDiscardable)
        #expect(!manager.undoActionIsDiscardable)
    }

    @Test("User info of an action passes from undo to redo")
    func userInfo() {
        let key = UndoManager.UserInfoKey("place")
        list.append("a")
        manager.setActionUserInfoValue(12, forKey: key)
        #expect(manager.undoActionUserInfoValue(forKey: key) as? Int == 12)
        manager.undo()
        #expect(manager.undoActionUserInfoValue(forKey: key) == nil)
        #expect(manager.redoActionUserInfoValue(forKey: key) as? Int == 12)
    }

    @Test("Grouping, undo and redo post their notifications in order, checkpoints first")
    func notifications() {
        let log = UndoLog(manager)
        list.append("a")
        #expect(log.take() == ["Checkpoint", "DidOpenUndoGroup"])
        manager.setActionIsDiscardable(true)
        manager.undo()
        #expect(
            log.take() == [
                "Checkpoint", "Checkpoint", "WillCloseUndoGroup discardable",
                "DidCloseUndoGroup discardable", "Checkpoint", "WillUndoChange", "DidOpenUndoGroup",
                "Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup", "DidUndoChange",
            ])
        #expect(manager.canRedo)
        #expect(log.take() == ["Checkpoint"])
        manager.redo()
        #expect(
            log.take() == [
                "Checkpoint", "WillRedoChange", "DidOpenUndoGroup", "Checkpoint", "WillCloseUndoGroup",
                "DidCloseUndoGroup", "DidRedoChange",
            ])
    }

    @Test("Actions registered at a checkpoint join the group about to end, also during undo")
    func lazyRegistration() {
        var pending: [String] = ["b"]
        nonisolated(unsafe) let list = list
        nonisolated(unsafe) let register = {
            let items = pending
            pending = []
            for item in items { list.append(item) }
        }
        let token = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { _ in register() }
        defer { NotificationCenter.default.removeObserver(token) }
        list.append("a")
        #expect(list.items == ["a", "b"])
        #expect(manager.groupingLevel == 1)
        pending = ["c"]
        manager.undo()
        #expect(list.items == [])
        manager.registerUndo(withTarget: list) { _ in pending = ["x"] }
        manager.undo()
        #expect(list.items == ["x"])
        #expect(manager.canRedo)
        manager.redo()
        #expect(list.items == [])
    }

    @Test("Misuse traps with a message that names the remedy")
    func misuse() async {
        await #expect(processExitsWith: .failure) { UndoManager().endUndoGrouping() }
        await #expect(processExitsWith: .failure) { UndoManager().enableUndoRegistration() }
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            manager.groupsByEvent = false
            UndoableList(manager).append("a")
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.beginUndoGrouping()
            manager.beginUndoGrouping()
            manager.undo()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("undo was called with 2 undo groups open: call endUndoGrouping first."))
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            manager.registerUndo(withTarget: manager) { $0.redo() }
            manager.undo()
        }
        await #expect(processExitsWith: .failure) {
            let manager = UndoManager()
            UndoableList(manager).append("a")
            manager.undoNestedGroup()
        }
    }
}

/// The notifications of a manager by their short names.
private final class UndoLog: @unchecked Sendable {
    private var names: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ manager: UndoManager) {
        let all: [NSNotification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
            .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange,
            .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
        ]
        tokens = all.map {
            NotificationCenter.default.addObserver(forName: $0, object: manager, queue: nil) {
                [unowned self] notification in
                let name = notification.name.rawValue
                    .replacingOccurrences(of: "NSUndoManager", with: "")
                    .replacingOccurrences(of: "Notification", with: "")
                let isDiscardable =
                    notification.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool ?? false
                names.append(isDiscardable ? "\(name) discardable" : name)
            }
        }
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func take() -> [String] {
        defer { names = [] }
        return names
    }
}
