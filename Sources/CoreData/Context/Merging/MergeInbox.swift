import Foundation
import Synchronization

/// The saves of other contexts that a context which merges automatically has not taken over yet.
///
/// The next block of the context takes them over before it begins. If the context has no other block, the
/// inbox schedules one, which needs a thread and therefore waits for one of the `MergeTurns`. A context that
/// runs a block is given no turn, since it would hold the turn until the block ends. A context without a
/// queue has saves taken over by its next block alone, or by `takeOverSaves`. The inbox keeps no context
/// alive, neither the one that merges nor those that saved.
final class MergeInbox: Sendable {
    struct Save: @unchecked Sendable {
        /// The rows under the keys of a notification; without a source, empty if any row may have changed.
        let idInfo: [AnyHashable: Any]
        /// The context; nil for commits of other coordinators and processes.
        let source: Backlink<NSManagedObjectContext>?
    }

    private enum Turn {
        case none, awaited, taken
    }

    private struct State {
        var saves: [Save] = []
        /// Whether a block of the app runs on the context.
        var isAtWork: Bool
        /// Whether the context has a queue, on which the inbox can schedule blocks.
        var hasQueue: Bool
        var turn = Turn.none

        mutating func takeSaves() -> [Save] {
            defer { saves = [] }
            return saves
        }

        /// Gives up the turn, and returns whether there was one.
        mutating func endTurn() -> Bool {
            guard turn == .taken else { return false }
            turn = .none
            return true
        }
    }

    private let context: Backlink<NSManagedObjectContext>
    private let turns: MergeTurns?
    private let state: Mutex<State>

    /// Makes the inbox of a context.
    ///
    /// - Parameter turns: The turns that merges wait for if they need a thread; nil if they do not wait.
    init(of context: NSManagedObjectContext, waitingFor turns: MergeTurns?) {
        self.context = context.link
        self.turns = turns
        // On the main queue the running block may be another context's.
        let isInBlock =
            context.concurrencyType == .privateQueueConcurrencyType && RunningBlock.holds(context.queue)
        let hasQueue = context.concurrencyType != .confinementConcurrencyType
        state = Mutex(State(isAtWork: isInBlock, hasQueue: hasQueue))
    }

    func waits(for turns: MergeTurns?) -> Bool { self.turns === turns }

    func deliver(_ save: Save) { change { $0.saves.append(save) } }

    /// Returns the saves that the context takes over itself.
    func takeSaves() -> [Save] { state.withLock { $0.takeSaves() } }

    /// Schedules blocks from now on, since the context was given a queue.
    func useQueue() { change { $0.hasQueue = true } }

    // MARK: Blocks of the owner

    /// Notes that a block of the context begins, and returns the saves that it has to take over first.
    func beginWork() -> [Save] {
        let (saves, hadTurn) = state.withLock { state in
            state.isAtWork = true
            return (state.takeSaves(), state.endTurn())
        }
        if hadTurn { turns?.giveBack() }
        return saves
    }

    /// Notes that the block has ended.
    func endWork() { change { $0.isAtWork = false } }

    // MARK: Blocks of its own

    /// Changes the state, and asks for a turn if saves are left that no block is about to take over.
    private func change(_ body: (inout State) -> Void) {
        let isWaiting = state.withLock { state in
            body(&state)
            guard state.turn == .none, state.hasQueue, !state.isAtWork, !state.saves.isEmpty else {
                return false
            }
            state.turn = .awaited
            return true
        }
        guard isWaiting else { return }
        if let turns { turns.await(self) } else { _ = takeTurn() }
    }

    /// Takes a turn, and has the context's queue merge.
    ///
    /// Returns false if the turn is not needed any more.
    func takeTurn() -> Bool {
        let context = context.target
        let isNeeded = state.withLock { state in
            let isNeeded = context != nil && !state.isAtWork && !state.saves.isEmpty
            state.turn = isNeeded ? .taken : .none
            return isNeeded
        }
        if isNeeded { context?.enqueueMerge(from: self) }
        return isNeeded
    }

    /// Takes over the saves and gives the turn back.
    ///
    /// Runs on the context's queue.
    func merge() {
        // Without a turn, another block came first and took the saves over.
        let saves = state.withLock { state in state.turn == .taken ? state.takeSaves() : [] }
        if !saves.isEmpty, let context = context.target {
            context.queue.sync(of: context) {
                context.takeOver(saves)
                context.processPendingChanges()
            }
        }
        var hadTurn = false
        change { hadTurn = $0.endTurn() }
        if hadTurn { turns?.giveBack() }
    }
}

extension NSManagedObjectContext {
    final func takeOver(_ saves: [MergeInbox.Save]) {
        for save in saves {
            guard let source = save.source else {
                takeOver(foreign: save.idInfo)
                continue
            }
            let notification = Notification(
                name: .NSManagedObjectContextDidSaveObjectIDs, object: source.target,
                userInfo: save.idInfo)
            mergeChanges(fromContextDidSave: notification)
        }
    }

    /// Takes over what other coordinators or processes committed.
    ///
    /// - Parameter idInfo: The rows; empty if any may have changed.
    private final func takeOver(foreign idInfo: [AnyHashable: Any]) {
        var idInfo = idInfo
        if idInfo.isEmpty {
            idInfo[NSUpdatedObjectIDsKey] = Set(registry.objects.map(\.objectID).filter { !$0.isTemporaryID })
        }
        merge(SavedChanges(idInfo, isRemote: true, in: self))
    }
}
