import CoreDataStore
import Foundation

/// The execution of requests on history: it freezes them to one query per store, and joins the stores'
/// answers.
struct HistoryExecution {
    private let coordinator: NSPersistentStoreCoordinator

    /// The code that Apple's framework has for a token of a store that the coordinator lacks; it has no
    /// public name.
    private static let unknownStoreError = 134_501

    init(_ coordinator: NSPersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    func execute(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
        do {
            let targets = try targets(of: request)
            let result = try request.isDeletion ? delete(request, targets) : fetch(request, targets)
            return NSPersistentHistoryResult(result, type: request.resultType)
        } catch {
            throw translated(error)
        }
    }

    /// Returns the latest position of stores; nil if none of them keeps history, or one cannot be read.
    func currentToken(of stores: [NSPersistentStore]?) -> NSPersistentHistoryToken? {
        var marks: [String: HistoryMark] = [:]
        for target in targets(among: stores) {
            guard let extent = try? target.backend.historyExtent() else { return nil }
            marks[target.storeID] = extent.last
        }
        return marks.isEmpty ? nil : NSPersistentHistoryToken(marks)
    }

    // MARK: Stores

    private struct Target {
        let handle: StoreHandle
        let backend: any HistoryBackend
        var storeID: String { handle.store.identifier }
    }

    private func targets(among stores: [NSPersistentStore]?) -> [Target] {
        coordinator.handles.compactMap { handle in
            guard stores.map({ $0.contains { $0 === handle.store } }) ?? true,
                let backend = handle.backend as? any HistoryBackend, backend.keepsHistory
            else { return nil }
            return Target(handle: handle, backend: backend)
        }
    }

    private func targets(of request: NSPersistentHistoryChangeRequest) throws -> [Target] {
        let targets = targets(among: request.affectedStores)
        guard !targets.isEmpty else {
            throw CoreDataError.error(
                NSPersistentStoreUnsupportedRequestTypeError,
                reason:
                    "None of the stores of the NSPersistentHistoryChangeRequest keeps history: set the option "
                    + "NSPersistentHistoryTrackingKey when a store is added.")
        }
        let known = Set(coordinator.handles.map(\.store.identifier))
        let strangers = (request.token?.marks.keys).map { $0.filter { !known.contains($0) } } ?? []
        guard strangers.isEmpty else {
            throw CoreDataError.error(
                Self.unknownStoreError,
                reason: "Unable to find stores referenced in the history token: \(strangers.sorted()).")
        }
        return targets
    }

    // MARK: Deleting

    private func delete(
        _ request: NSPersistentHistoryChangeRequest, _ targets: [Target]
    ) throws -> NSNumber {
        guard [.statusOnly, .count].contains(request.resultType) else {
            throw CoreDataError.error(
                NSPersistentStoreUnsupportedRequestTypeError,
                reason: "The deletion of history answers with a status or a count, not with "
                    + "\(request.resultType).")
        }
        var count = 0
        for target in targets {
            guard let position = position(of: request, in: target) else { continue }
            count += try target.backend.pruneHistory(before: position)
        }
        return request.resultType == .count ? NSNumber(value: count) : NSNumber(value: true)
    }

    /// Returns the position of the request in the history of one store; nil if the request names no position
    /// in that store.
    private func position(of request: NSPersistentHistoryChangeRequest, in target: Target) -> HistoryPosition?
    {
        switch request.position {
        case .date(let date): .date(date)
        case .token(let token): token?.marks[target.storeID].map { .mark($0) }
        }
    }

    // MARK: Fetching

    private func fetch(_ request: NSPersistentHistoryChangeRequest, _ targets: [Target]) throws -> Any {
        if request.fetchRequest?.storage.needsOneStore ?? false, targets.count > 1 {
            throw CoreDataError.unsupported(
                "Sorting or limiting the history of several stores at once (set affectedStores)")
        }
        let queries = try targets.map { try query(of: request, in: $0) }
        switch request.resultType {
        case .statusOnly: return NSNumber(value: true)
        case .count:
            var count = 0
            for (target, query) in zip(targets, queries) { count += try target.backend.countHistory(query) }
            return NSNumber(value: count)
        case .transactionsOnly, .transactionsAndChanges:
            return try transactions(of: request, targets, queries)
        case .changesOnly:
            return try transactions(of: request, targets, queries).flatMap { $0.changes ?? [] }
        case .objectIDs:
            let changes = try transactions(of: request, targets, queries).flatMap { $0.changes ?? [] }
            var seen: Set<NSManagedObjectID> = []
            return changes.map(\.changedObjectID).filter { seen.insert($0).inserted }
        }
    }

    private func query(
        of request: NSPersistentHistoryChangeRequest, in target: Target
    ) throws -> HistoryQuery {
        let position = position(of: request, in: target)
        if case .mark(let mark) = position { try requireHistory(since: mark, in: target) }
        for token in request.fetchRequest?.storage.predicateTokens ?? [] {
            // A predicate that compares with a token needs the token's transaction.
            if let mark = token.marks[target.storeID] {
                try requireHistory(since: mark, in: target, isNamed: true)
            }
        }
        return HistoryQuery(
            start: position,
            filter: try request.fetchRequest?.storage.historyFilter(in: target.handle.store),
            includesChanges: request.resultType != .transactionsOnly)
    }

    /// Throws if a part of the history since a transaction is gone, or a transaction that a predicate names.
    private func requireHistory(since mark: HistoryMark, in target: Target, isNamed: Bool = false) throws {
        if try target.backend.keepsHistory(since: mark), !isNamed || mark.number > 0 { return }
        let extent = try target.backend.historyExtent()
        throw CoreDataError.error(
            NSPersistentHistoryTokenExpiredError,
            reason:
                "The history token stands for transaction \(mark.number) of the store \(target.storeID), which "
                + "has the transactions \(extent.first ?? extent.last.number + 1) to \(extent.last.number).",
            [NSAffectedStoresErrorKey: [target.handle.store]])
    }

    /// Returns the transactions of all stores in the order of time, each with a token that covers those
    /// before it.
    private func transactions(
        of request: NSPersistentHistoryChangeRequest, _ targets: [Target], _ queries: [HistoryQuery]
    ) throws -> [NSPersistentHistoryTransaction] {
        var found: [(record: HistoryTransaction, source: HistorySource)] = []
        for (target, query) in zip(targets, queries) {
            let source = HistorySource(target.handle.store, coordinator.frozen)
            found += try target.backend.history(query).map { ($0, source) }
        }
        if targets.count > 1 {
            // The sort is stable, so that each store keeps its own order.
            let order = found.indices.sorted {
                (found[$0].record.timestamp, $0) < (found[$1].record.timestamp, $1)
            }
            found = order.map { found[$0] }
        }
        var reached = request.token ?? NSPersistentHistoryToken([:])
        return found.map { record, source in
            reached = reached.advanced(to: record.mark, of: source.storeID)
            return NSPersistentHistoryTransaction(record, of: source, token: reached)
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Returns the latest position in the history of stores, or nil if none of them keeps history or one
    /// cannot be read.
    ///
    /// - Parameter stores: The stores; nil for all.
    public final func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        HistoryExecution(self).currentToken(of: stores?.compactMap { $0 as? NSPersistentStore })
    }
}
