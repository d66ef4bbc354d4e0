import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

/// The execution of one fetch request in the stores of a context.
///
/// It does in memory what the stores cannot do: tests and sort orders that SQL cannot express, unsaved
/// changes, and limit and offset over several stores.
struct FetchRunner {
    let context: NSManagedObjectContext
    let request: FetchRequestStorage
    let query: FetchQuery
    let handles: [StoreHandle]
    private let overlay: PendingOverlay?
    /// Whether a nested context reads committed rows from the stores, not from its parent.
    let isPastParent: Bool

    /// Makes a runner.
    ///
    /// - Parameter handles: The handles of the context, or those of the stores past its parent.
    init(_ context: NSManagedObjectContext, _ request: FetchRequestStorage, _ query: FetchQuery) throws {
        let isOfCommitted = !request.includesPendingChanges || query.shape.dictionary != nil
        let isPastParent = isOfCommitted && context.source != nil
        let entities = context.requiredCoordinator.frozen.compiled[query.entity]
            .family(includingSubentities: query.includesSubentities)
        let stores = isPastParent ? context.requiredCoordinator.handles : try context.readHandles()
        self.init(
            context, request, query,
            in: stores.filter { handle in
                handle.holdsAny(of: entities)
                    && request.affectedStores.map { $0.contains { $0 === handle.store } } ?? true
            }, isPastParent: isPastParent)
    }

    /// - Parameter handles: The handles of the context, or those of the stores past its parent.
    init(
        _ context: NSManagedObjectContext, _ request: FetchRequestStorage, _ query: FetchQuery,
        in handles: [StoreHandle], isPastParent: Bool = false
    ) {
        self.context = context
        self.request = request
        self.query = query
        self.handles = handles
        overlay =
            request.includesPendingChanges ? PendingOverlay(query, of: handles, in: context) : nil
        self.isPastParent = isPastParent
    }

    /// Whether one store has the whole answer, unless objects have to be tested or sorted in memory.
    private var isStoresAlone: Bool { overlay == nil && handles.count == 1 }

    // MARK: Answers

    func prefetchedObjects() throws -> [NSManagedObject] {
        let objects = try objects(query)
        if let keyPaths = request.relationshipKeyPathsForPrefetching, request.fetchBatchSize == 0 {
            try Prefetcher(context).prefetch(keyPaths, of: objects)
        }
        return objects
    }

    func ids() throws -> [NSManagedObjectID] {
        if isStoresAlone, case .references(let references)? = try storesAnswer(query, in: handles[0]) {
            return context.ids(of: references, in: handles[0])
        }
        return try objects(query).map(\.objectID)
    }

    /// Returns the IDs of a query of references, which memory does not hold if one store alone can answer and
    /// reads them one by one.
    func spooledIDs() throws -> FetchedIDs {
        guard isStoresAlone, let backend = handles[0].backend as? any StreamingBackend else {
            return FetchedIDs(try ids())
        }
        let spool = ReferenceSpool()
        do throws(StoreError) {
            try backend.fetchReferences(local(query, in: handles[0]), into: spool)
        } catch {
            guard case .inexpressible = error.kind else { throw error.nsError() }
            return FetchedIDs(try ids())
        }
        return FetchedIDs(spool, in: handles[0], of: context)
    }

    func count() throws -> Int {
        if isStoresAlone, case .count(let count)? = try storesAnswer(query, in: handles[0]) { return count }
        var unordered = query
        (unordered.shape, unordered.sort) = (.references, [])
        return try objects(unordered).count
    }

    /// Returns the answer of one store.
    ///
    /// Nil if SQL cannot express the query, so that a part of it has to run in memory.
    func storesAnswer(_ query: FetchQuery, in handle: StoreHandle) throws -> FetchResult? {
        do throws(StoreError) {
            return try handle.backend.fetch(local(query, in: handle))
        } catch {
            guard case .inexpressible = error.kind else { throw error.nsError() }
            return nil
        }
    }

    func local(_ query: FetchQuery, in handle: StoreHandle) -> FetchQuery {
        handle.local(query, of: context.requiredCoordinator)
    }

    // MARK: Objects

    private func objects(_ query: FetchQuery) throws -> [NSManagedObject] {
        if isStoresAlone { return try objects(query, in: handles[0]) }
        var stored = storesPart(of: query)
        // An object that is sorted among those of other stores needs its values.
        if !query.sort.isEmpty, !isBatched { stored.shape = .rows }
        var objects: [NSManagedObject] = []
        for handle in handles { objects += try self.objects(stored, in: handle) }
        if handles.count > 1 { objects = try ObjectSorting.sorted(objects, by: query.sort) }
        if let overlay { objects = try overlay.apply(to: objects, sort: query.sort, isLazy: isBatched) }
        return query.window(objects)
    }

    /// Returns the query to ask each store.
    ///
    /// With unsaved changes or several stores, it has no offset, and a limit large enough for the rows that
    /// are dropped or skipped in memory afterwards.
    func storesPart(of query: FetchQuery) -> FetchQuery {
        if isStoresAlone { return query }
        var stored = query
        (stored.limit, stored.offset) = (query.lastRow(plus: overlay?.largestLoss ?? 0), 0)
        return stored
    }

    private var isBatched: Bool { request.fetchBatchSize > 0 }

    private func objects(_ query: FetchQuery, in handle: StoreHandle) throws -> [NSManagedObject] {
        if isPastParent { return try storedValues(query, in: handle) }
        let query = local(query, in: handle)
        let changeCount = handle.cache.changeCount
        do throws(StoreError) {
            return try take(try handle.backend.fetch(query), from: handle, readAt: changeCount)
        } catch {
            guard case .inexpressible = error.kind else { throw error.nsError() }
            return try split(query, in: handle)
        }
    }

    /// Tests and sorts in memory what a store cannot.
    ///
    /// Batches are read one after the other while objects are tested.
    private func split(_ query: FetchQuery, in handle: StoreHandle) throws -> [NSManagedObject] {
        if !request.includesPendingChanges, context.tracker.hasChanges {
            return try storedValues(query, in: handle)
        }
        var split: QuerySplit
        var objects: [NSManagedObject]
        do throws(StoreError) {
            let local = local(query, in: handle)
            split = try handle.backend.split(local)
            if !isBatched { split.stored.shape = .rows }
            do throws(StoreError) {
                objects = try stored(split, in: handle)
            } catch {
                // A number may be out of a database's range, but never out of memory's.
                guard case .inexpressible = error.kind,
                    split.stored.predicate != nil || !split.stored.sort.isEmpty
                else { throw error }
                split = split.testingAll(of: local)
                objects = try stored(split, in: handle)
            }
        } catch {
            throw error.nsError()
        }
        if !isBatched { try prefetch(for: split, objects) }
        let isLast = split.sort.isEmpty
        objects = try ObjectSorting.filtered(
            objects, by: split.predicate, limit: isLast ? query.lastRow(plus: 0) : 0)
        if !isLast { objects = try ObjectSorting.sorted(objects, by: split.sort) }
        return query.window(objects)
    }

    /// Returns the objects of the store's part of a query.
    private func stored(_ split: QuerySplit, in handle: StoreHandle) throws(StoreError) -> [NSManagedObject] {
        let changeCount = handle.cache.changeCount
        return try take(try handle.backend.fetch(split.stored), from: handle, readAt: changeCount)
    }

    private func prefetch(for split: QuerySplit, _ objects: [NSManagedObject]) throws {
        let model = context.requiredCoordinator.frozen.compiled
        try Prefetcher(context).prefetch(split.relationshipKeyPaths(in: model), of: objects)
    }

    /// Returns the objects whose committed rows match, tested in a new context without changes, for requests
    /// that leave unsaved changes aside.
    private func storedValues(_ query: FetchQuery, in handle: StoreHandle) throws -> [NSManagedObject] {
        let references = try storedReferences(query, in: handle).map {
            context.address(of: $0, storeIndex: handle.index).reference
        }
        return context.objects(for: references, storeIndex: handle.index)
    }

    func storedReferences(_ query: FetchQuery, in handle: StoreHandle) throws -> [ObjectReference] {
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = context.persistentStoreCoordinator
        reader.generation = context.generation
        return try reader.performAndWait {
            try FetchRunner(reader, request, query).split(query, in: handle).map(\.reference)
        }
    }

    private func take(
        _ result: FetchResult, from handle: StoreHandle, readAt changeCount: UInt64
    ) throws(StoreError) -> [NSManagedObject] {
        switch result {
        case .rows(let rows):
            let current = context.remember(rows, from: handle, readAt: changeCount)
            let objects = context.objects(for: current, handle: handle)
            if request.shouldRefreshRefetchedObjects { refresh(objects) }
            if !request.returnsObjectsAsFaults {
                // An object may have another row by now: `awakeFromFetch` of others runs code of the app.
                for object in objects where object.isFault { object.committed.map(object.fill) }
            }
            return objects
        case .references(let references):
            context.registry.use(handle)
            if isBatched {
                context.faultHandler.noteBatches(
                    references, size: request.fetchBatchSize,
                    prefetching: request.relationshipKeyPathsForPrefetching ?? [])
            }
            let objects = context.objects(for: references, storeIndex: handle.index)
            if request.shouldRefreshRefetchedObjects {
                let known = objects.filter { !$0.isFault }.map(\.reference)
                let changeCount = handle.cache.changeCount
                let rows = try handle.backend.snapshots(for: known)
                _ = context.remember(rows, from: handle, readAt: changeCount)
                refresh(objects)
            }
            return objects
        case .count, .dictionaries:
            programmerError("a store answered a fetch of objects with something else")
        }
    }

    /// Gives loaded objects the values of the rows just read; their own changes stay.
    ///
    /// Rows that a parent has not saved have another handle than those of the stores.
    private func refresh(_ objects: [NSManagedObject]) {
        for object in objects where !object.isFault {
            if object.isUpdated, !object.isDeleted {
                context.reread(object, keepingChanges: true)
            } else if !object.isDirty,
                let row = context.readHandle(at: object.storeIndex)?.cache.current(object.reference)
            {
                context.changeFeed.changeSilently { object.adopt(row) }
            }
        }
    }
}

extension FetchQuery {
    /// Returns how many of the first rows to read if up to `losses` of them may drop out; 0 for all.
    fileprivate func lastRow(plus losses: Int) -> Int { limit > 0 ? offset + limit + losses : 0 }
}
