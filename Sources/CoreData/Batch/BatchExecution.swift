import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The execution of batch requests: it freezes a request to a value, passes the value to every store that
/// holds the entity, and makes the result.
///
/// It changes no object of any context: pass the IDs of the result to
/// `mergeChanges(fromRemoteContextSave:into:)` to update the objects.
struct BatchExecution {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator

    init(_ coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext) {
        self.coordinator = coordinator
        self.context = context
    }

    var frozen: FrozenModel { coordinator.frozen }

    /// Returns the author and context name for the batch's history entry.
    ///
    /// A nested context passes its requests to its parent, so history names the root context, as it does for
    /// saves.
    func terms(wantsReferences: Bool) -> BatchTerms {
        var root = context
        while let parent = root.parent { root = parent }
        return BatchTerms(
            author: root.transactionAuthor, contextName: root.name, wantsReferences: wantsReferences)
    }

    // MARK: Entities

    /// Returns the index of the entity of a request, which may have it by name only.
    ///
    /// - Throws: 134060 (`NSCoreDataError`) if the model has no such entity.
    func entityIndex(_ entity: NSEntityDescription?, named name: String, _ kind: String) throws -> EntityIndex
    {
        if let index = entity.flatMap(frozen.index) ?? frozen.compiled.indexByName[name] { return index }
        throw CoreDataError.error(
            NSCoreDataError,
            reason: "\(kind) could not locate an entity named '\(name)': the model has "
                + "\(frozen.compiled.indexByName.keys.sorted()).")
    }

    // MARK: Stores

    /// A store in which the batch runs.
    struct Target {
        let handle: StoreHandle
        let backend: any BatchBackend
    }

    /// Returns the stores that hold one of the entities, among those that the request names.
    ///
    /// - Throws: 134070 (`NSPersistentStoreOperationError`) if there is none, 134091
    ///   (`NSPersistentStoreUnsupportedRequestTypeError`) if one of them cannot execute batches.
    func targets(of entities: Range<EntityIndex>, _ request: NSPersistentStoreRequest) throws -> [Target] {
        let handles = coordinator.handles.filter { handle in
            handle.holdsAny(of: entities)
                && request.affectedStores.map { $0.contains { $0 === handle.store } } ?? true
        }
        guard !handles.isEmpty else {
            throw CoreDataError.error(
                NSPersistentStoreOperationError,
                reason: "None of the stores of the \(type(of: request)) holds the entity "
                    + "\(frozen.compiled[entities.lowerBound].name).")
        }
        return try handles.map { handle in
            guard let backend = handle.backend as? any BatchBackend else {
                throw CoreDataError.error(
                    NSPersistentStoreUnsupportedRequestTypeError,
                    reason: "Stores of type \(handle.store.type) cannot execute \(type(of: request)).")
            }
            return Target(handle: handle, backend: backend)
        }
    }

    /// Runs a batch in one store, and drops rows in memory that it made outdated.
    func run(
        in target: Target, _ batch: (any BatchBackend) throws(StoreError) -> BatchReceipt
    ) throws -> BatchReceipt {
        do {
            let receipt = try batch(target.backend)
            if receipt.changesExistingRows {
                target.handle.cache.removeAll()
                target.backend.expireReads()
            }
            return receipt
        } catch {
            throw self.error(error)
        }
    }

    private func error(_ error: StoreError) -> NSError {
        guard case .constraints(let violations) = error.kind, let first = violations.first else {
            return error.nsError()
        }
        let entity = frozen.compiled[first.entity]
        let names = first.slots.map { entity.slots[$0].name }.joined(separator: ", ")
        let values = first.values.map { $0.object.map { "\($0)" } ?? "nil" }.joined(separator: ", ")
        var named = error
        named.message =
            "the store has a row of \(entity.name) with the unique values \(names) = \(values)"
        return named.nsError()
    }

    // MARK: What SQL cannot express

    /// Returns whether rows of one of the stores have to be tested or sorted in memory.
    func needsMemory(_ query: FetchQuery, _ targets: [Target]) throws -> Bool {
        do throws(StoreError) {
            for target in targets {
                let split = try target.backend.split(query)
                if split.predicate != nil || !split.sort.isEmpty { return true }
            }
            return false
        } catch {
            throw error.nsError()
        }
    }

    /// Returns the IDs of the committed rows that a request finds now, without unsaved changes, even if the
    /// context is pinned to an earlier generation.
    func storedIDs(_ request: FetchRequestStorage) throws -> [NSManagedObjectID] {
        let fetch = FetchRequestStorage(request)
        fetch.resultType = .managedObjectIDResultType
        fetch.includesPendingChanges = false
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = coordinator
        return try reader.performAndWait { () throws -> [NSManagedObjectID] in
            try reader.fetchResult(fetch).boxed.compactMap { $0 as? NSManagedObjectID }
        }
    }

    // MARK: Results

    func ids(_ references: [ObjectReference], in target: Target) -> [NSManagedObjectID] {
        frozen.ids(of: references, in: target.handle.store)
    }
}

/// The sum of the answers of several stores.
struct BatchTotal {
    private(set) var count = 0
    private(set) var ids: [NSManagedObjectID] = []

    mutating func add(_ receipt: BatchReceipt, _ ids: [NSManagedObjectID]) {
        count += receipt.count
        self.ids += ids
    }
}
