import Foundation

extension UndoManager {
    final func register(_ action: UndoAction) {
        guard isUndoRegistrationEnabled else { return }
        if openGroups.isEmpty { beginEvent() }
        if performing == nil { redoStack.removeAll() }
        openGroups[openGroups.count - 1].append(action)
    }

    // MARK: Groups that callers begin and end

    final func baseBeginUndoGrouping() {
        if performing == nil { post(.NSUndoManagerCheckpoint) }
        open(UndoGroup(.caller))
    }

    final func baseEndUndoGrouping() {
        guard !openGroups.isEmpty else {
            programmerError("endUndoGrouping was called with no beginUndoGrouping before it.")
        }
        post(.NSUndoManagerCheckpoint)
        guard let group = openGroups.last else { return }
        let info: [AnyHashable: Any]? =
            group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil
        post(.NSUndoManagerWillCloseUndoGroup, info)
        openGroups.removeLast()
        close(group)
        post(.NSUndoManagerDidCloseUndoGroup, info)
    }

    final func open(_ group: UndoGroup) {
        openGroups.append(group)
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    private final func close(_ group: UndoGroup) {
        if let outer = openGroups.last { return outer.append(group) }
        switch group.origin {
        case .caller: break
        case .event: if group.isEmpty { return }
        case .performing(let counterpart):
            if group.isEmpty { return }
            group.takeOver(from: counterpart)
        }
        if isUndoing { redoStack.append(group) } else { undoStack.append(group) }
        discardOldest()
    }

    final func discardOldest() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: Groups by event

    /// Begins the group of an event, and schedules its end.
    private final func beginEvent() {
        guard groupsByEvent else {
            programmerError(
                "registerUndo was called outside of a group: call beginUndoGrouping first, or set groupsByEvent."
            )
        }
        post(.NSUndoManagerCheckpoint)
        // An observer of the notification may have registered an action, which begins the event's group.
        guard openGroups.isEmpty else { return }
        let group = UndoGroup(.event)
        open(group)
        scheduleEnd { [weak self, weak group] in
            guard let self, let group, self.openGroups.first === group else { return }
            self.endEvent()
        }
    }

    /// Ends the group that an event began, unless callers have groups open within it.
    final func endEvent() {
        guard openGroups.count == 1, performing == nil, case .event = openGroups[0].origin else { return }
        endUndoGrouping()
    }

    /// Has the event end with the pass of the thread's run loop, or with the next block of the main queue.
    ///
    /// Other threads have no events.
    private final func scheduleEnd(_ end: @escaping () -> Void) {
        if RunLoop.current.currentMode != nil {
            nonisolated(unsafe) let end = end
            RunLoop.current.perform(inModes: runLoopModes) { end() }
        } else if BlockQueue.main.isCurrent {
            BlockQueue.main.async(end)
        }
    }

    // MARK: Forgetting

    final func baseRemoveAllActions() {
        undoStack.removeAll()
        redoStack.removeAll()
        for group in openGroups { group.removeAll() }
        disabledCount = 0
    }

    final func baseRemoveAllActions(withTarget target: AnyObject) {
        for group in undoStack + redoStack + openGroups { group.removeActions(of: target) }
        undoStack.removeAll(where: \.isEmpty)
        redoStack.removeAll(where: \.isEmpty)
    }
}
