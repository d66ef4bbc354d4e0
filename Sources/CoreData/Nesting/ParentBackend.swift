import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// A store as a context above it sees it: what is committed, with the context's changes on top. Its children read from
/// it and save to it, on the context's queue.
final class ParentBackend: StoreBackend {
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let storeIndex: Int16

    init(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, storeIndex: Int16) {
        self.context = context
        self.coordinator = coordinator
        self.storeIndex = storeIndex
    }

    /// Runs a block on the context's queue, with what the context itself reads from.
    private func inContext<Result>(
        _ body: (StoreHandle) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try context.performAndWait { () throws(StoreError) -> Result in
            guard let handle = context.readHandle(at: storeIndex) else {
                throw StoreError(.unsupported, "The store that a nested context reads from was removed")
            }
            context.adoptPermanentReferences()
            return try body(handle)
        }
    }

    // MARK: Fetching

    func fetch(_ query: FetchQuery) throws(StoreError) -> FetchResult {
        try inContext { handle throws(StoreError) in
            context.processPendingChanges()
            guard context.tracker.hasChanges else {
                return known(try handle.backend.fetch(query))
            }
            do {
                return try fetchWithChanges(query, in: handle)
            } catch {
                throw StoreError(.reported(error), "\(error)")
            }
        }
    }

    func split(_ query: FetchQuery) throws(StoreError) -> QuerySplit {
        try inContext { handle throws(StoreError) in try handle.backend.split(query) }
    }

    private func fetchWithChanges(_ query: FetchQuery, in handle: StoreHandle) throws -> FetchResult {
        let runner = FetchRunner(context, FetchRequestStorage(), query, in: [handle])
        switch query.shape {
        case .rows: return .rows(try runner.prefetchedObjects().compactMap(row))
        case .references: return .references(try runner.prefetchedObjects().map(\.reference))
        case .count: return .count(try runner.count())
        case .dictionaries, .dictionaryCount: return try handle.backend.fetch(query)
        }
    }

    /// The context's own rows in place of those read, which may be newer than what it works with.
    private func known(_ result: FetchResult) -> FetchResult {
        guard case .rows(let rows) = result else { return result }
        return .rows(rows.map { row in object(row.reference)?.row?.clone() ?? row })
    }

    // MARK: Rows

    func snapshot(for row: ObjectReference) throws(StoreError) -> Snapshot? {
        try inContext { handle throws(StoreError) in
            let reference = current(row)
            if let object = object(reference), object.isDirty || !object.isFault {
                return self.row(of: object)
            }
            if isNowhereElse(reference) { return nil }
            if let row = handle.cache.current(reference) { return row.clone() }
            return try handle.backend.snapshot(for: reference)
        }
    }

    func snapshots(for rows: [ObjectReference]) throws(StoreError) -> [Snapshot] {
        try inContext { handle throws(StoreError) in
            var result: [Snapshot] = []
            var missing: [ObjectReference] = []
            for reference in rows.map(current) {
                if let object = object(reference), object.isDirty || !object.isFault {
                    row(of: object).map { result.append($0) }
                } else if let row = handle.cache.current(reference) {
                    result.append(row.clone())
                } else if !isNowhereElse(reference) {
                    missing.append(reference)
                }
            }
            if missing.isEmpty { return result }
            return result + (try handle.backend.snapshots(for: missing))
        }
    }

    /// The values that the context has for an object; nil if it is deleted. A copy, since the context goes on to change
    /// its own, and gives clean ones up when it holds them alone.
    private func row(of object: NSManagedObject) -> Snapshot? {
        if object.isDeleted { return nil }
        if object.isInserted { object.fireIfNeeded() }
        return (object.row ?? object.committed ?? context.faultHandler.snapshot(for: object))?.clone()
    }

    // MARK: Relationships

    func related(_ slot: Int, of row: ObjectReference) throws(StoreError) -> [ObjectReference] {
        try inContext { handle throws(StoreError) in
            let reference = current(row)
            if let members = members(slot, of: reference) { return members }
            return try handle.backend.related(slot, of: reference)
        }
    }

    func related(
        _ slot: Int, ofEach rows: [ObjectReference]
    ) throws(StoreError) -> [Int64: [ObjectReference]] {
        try inContext { handle throws(StoreError) in
            var result: [Int64: [ObjectReference]] = [:]
            var missing: [ObjectReference] = []
            for row in rows {
                if let members = members(slot, of: current(row)) {
                    result[row.key] = members
                } else {
                    missing.append(current(row))
                }
            }
            if missing.isEmpty { return result }
            return result.merging(try handle.backend.related(slot, ofEach: missing)) { first, _ in first }
        }
    }

    /// The members that the context knows of, or that only it can know; nil to ask the store.
    private func members(_ slot: Int, of reference: ObjectReference) -> [ObjectReference]? {
        guard let object = object(reference), object.side(at: slot) is ToManyValue else {
            return isNowhereElse(reference) ? [] : nil
        }
        return object.toMany(at: object.runtime.compiled.slots[slot]).array
            .filter { !$0.isDeleted }.map(\.reference)
    }

    // MARK: Objects

    private func current(_ reference: ObjectReference) -> ObjectReference {
        context.place(of: reference)?.reference ?? reference
    }

    /// Whether only the context can know of an object, and does not.
    private func isNowhereElse(_ reference: ObjectReference) -> Bool {
        reference.isTemporary && context.source == nil
    }

    private func object(_ reference: ObjectReference) -> NSManagedObject? {
        context.registry.object(
            reference, storeIndex: storeIndex,
            root: context.requiredCoordinator.frozen.runtime(reference.entity).compiled.root)
    }

    // MARK: Saving

    func allocateKeys(
        _ count: [EntityIndex: Int]
    ) throws(StoreError) -> [EntityIndex: [ObjectReference]] {
        try inContext { handle throws(StoreError) in try handle.backend.allocateKeys(count) }
    }

    /// Makes the changes changes of the context. They never conflict: what the child changed it wins.
    func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
        let changes = changes.keepingRows()
        return try inContext { _ throws(StoreError) in
            ChangeAdoption(context, storeIndex: storeIndex).adopt(changes)
            return CommitReceipt(permanent: [:])
        }
    }

    /// Not on the context's queue, whose thread may be waiting for the child that merges.
    func expireReads() { coordinator.handle(at: storeIndex)?.backend.expireReads() }

    /// The files are the root's.
    func close() {}
}
