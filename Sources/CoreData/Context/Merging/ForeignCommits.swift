import CoreDataStore
import Dispatch
import Foundation
import Synchronization

/// The commits of other coordinators and other processes to the stores of a coordinator, which contexts that
/// merge automatically take over.
///
/// They are read from the histories of the stores, without the saves of the coordinator's own contexts, which
/// the others have taken over already.
final class ForeignCommits: Sendable {
    /// What is known of one store's history.
    private struct Progress {
        var reached: HistoryMark
        /// The transactions of own saves that have not been passed yet.
        var own: Set<Int64> = []
    }

    private struct State {
        var stores: [String: Progress] = [:]
        /// The own saves that have begun and may be in the history before they are known as own.
        var saves = DispatchGroup()
    }

    private let state = Mutex(State())
    private let isOn = Atomic(false)

    /// Begins with commits that are made from now on to a store.
    ///
    /// Does nothing for a store that keeps no history, and if it has begun already.
    func begin(at handle: StoreHandle) {
        guard let history = handle.backend as? any HistoryBackend, history.keepsHistory,
            let reached = try? history.historyExtent().last
        else { return }
        state.withLock { state in
            let store: String = handle.store.identifier
            if state.stores[store] == nil { state.stores[store] = Progress(reached: reached) }
        }
        isOn.store(true, ordering: .releasing)
    }

    /// Runs an own save of one store, and notes its transaction.
    func saving(
        to handle: StoreHandle, _ commit: () throws(StoreError) -> CommitReceipt
    ) throws(StoreError) -> CommitReceipt {
        guard isOn.load(ordering: .acquiring) else { return try commit() }
        let saves = state.withLock { state in
            state.saves.enter()
            return state.saves
        }
        defer { saves.leave() }
        let receipt = try commit()
        if let number = receipt.historyToken?.number {
            _ = state.withLock { $0.stores[handle.store.identifier]?.own.insert(number) }
        }
        return receipt
    }

    /// Has the contexts take over what the history of a store has that is new and not their own.
    ///
    /// Called by one thread at a time for each store, after commits of anybody.
    func look(at handle: StoreHandle, for contexts: MergingContexts, _ frozen: FrozenModel) {
        let store = handle.store.identifier!
        guard let history = handle.backend as? any HistoryBackend,
            let start = state.withLock({ $0.stores[store]?.reached })
        else { return }
        do throws(StoreError) {
            guard try history.keepsHistory(since: start) else {
                // A part of the history is gone, in which anything may have happened.
                let last = try history.historyExtent().last
                state.withLock { $0.stores[store] = Progress(reached: last) }
                contexts.notify(foreign: [:])
                return
            }
            let news = try history.history(HistoryQuery(start: .mark(start), includesChanges: false))
            guard let last = news.last?.mark else { return }
            let foreign = foreign(among: news, in: store)
            if !foreign.isEmpty {
                let changes = try history.history(HistoryQuery(start: .mark(start)))
                    .filter { foreign.contains($0.number) }.flatMap { $0.changes ?? [] }
                contexts.notify(foreign: Self.idInfo(of: changes, HistorySource(handle.store, frozen)))
            }
            pass(last, in: store)
        } catch {
            // The next commit leads to another look from the same position.
            FrameworkLog.error("A history cannot be read, and what others committed waits: \(error)")
        }
    }

    /// Returns the numbers of the transactions that are no own saves, once all saves that have begun are known.
    private func foreign(among news: [HistoryTransaction], in store: String) -> Set<Int64> {
        let begun = state.withLock { state in
            defer { state.saves = DispatchGroup() }
            return state.saves
        }
        begun.wait()
        let own = state.withLock { $0.stores[store]?.own ?? [] }
        return Set(news.map(\.number)).subtracting(own)
    }

    private func pass(_ mark: HistoryMark, in store: String) {
        state.withLock { state in
            let own: Set<Int64> = state.stores[store]?.own.filter { $0 > mark.number } ?? []
            state.stores[store] = Progress(reached: mark, own: own)
        }
    }

    /// Returns the last change of each row, as the notification of a save names rows.
    private static func idInfo(of changes: [HistoryChange], _ source: HistorySource) -> [AnyHashable: Any] {
        var kinds: [NSManagedObjectID: HistoryChange.Kind] = [:]
        for change in changes {
            let id = source.objectID(change.row)
            // An update of a row that is new itself changes nothing for contexts.
            if change.kind == .update, kinds[id] == .insert { continue }
            kinds[id] = change.kind
        }
        func ids(_ kind: HistoryChange.Kind) -> Set<NSManagedObjectID> {
            Set(kinds.lazy.filter { $0.value == kind }.map(\.key))
        }
        return [
            NSInsertedObjectIDsKey: ids(.insert), NSUpdatedObjectIDsKey: ids(.update),
            NSDeletedObjectIDsKey: ids(.delete),
        ]
    }
}

extension NSPersistentStoreCoordinator {
    /// Has contexts that merge automatically take over what other coordinators and processes commit to the
    /// present stores from now on, as far as these keep a history and can be watched.
    package final func mergeForeignCommits() {
        // Nobody else has a store that goes with its coordinator.
        for handle in handles where handle.store.url?.isNowhere == false {
            foreignCommits.begin(at: handle)
            try? watch(handle)
            // A commit before the watch began has reported nothing.
            takeOverForeignCommits(to: handle.store)
        }
    }

    /// Has contexts that merge automatically take over what is new in the history of a store, if they follow
    /// it.
    final func takeOverForeignCommits(to store: NSPersistentStore) {
        guard let handle = handles.first(where: { $0.store === store }) else { return }
        foreignCommits.look(at: handle, for: merging, frozen)
    }
}
