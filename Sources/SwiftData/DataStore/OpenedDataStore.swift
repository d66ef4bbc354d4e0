import CoreData

/// A data store whose types are not known to the caller, with snapshots in one form.
protocol OpenedDataStore: AnyObject {
    var identifier: String { get }

    /// Returns what a request for Core Data asks for.
    ///
    /// - Throws: `RefusedQuery` for a condition or an order that no descriptor has.
    func query(
        of type: any PersistentModel.Type, for request: NSFetchRequest<any NSFetchRequestResult>,
        _ state: EditingState
    ) throws -> DataStoreQuery

    func cachedSnapshots(of identifier: PersistentIdentifier, _ state: EditingState) throws
        -> [DefaultSnapshot]

    /// Fetches a model by its identifier, and others if the store cannot tell it from them.
    func snapshots(
        of type: any PersistentModel.Type, _ identifier: PersistentIdentifier, _ state: EditingState
    ) throws -> [DefaultSnapshot]

    func save(
        inserted: [(ModelObject, any PersistentModel)], updated: [(ModelObject, any PersistentModel)],
        deleted: [(ModelObject, any PersistentModel)], _ state: EditingState
    ) throws -> SavedSnapshots

    func erase() throws
    func initializeState(for editingState: EditingState)
    func invalidateState(for editingState: EditingState)

    /// Deletes models without snapshots of them; false if the store cannot.
    func delete<Model: PersistentModel>(_ request: DataStoreBatchDeleteRequest<Model>) throws -> Bool
    /// Returns transactions of a type; nil if the store keeps none of it.
    func fetchHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws -> [Transaction]?
    /// Deletes transactions of a type; false if the store keeps none of it.
    func deleteHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws -> Bool
}

/// A question to a data store.
struct DataStoreQuery {
    let count: () throws -> Int
    let identifiers: () throws -> [PersistentIdentifier]
    let snapshots: () throws -> (fetched: [DefaultSnapshot], related: [DefaultSnapshot])
}

/// What a data store answered to a save.
struct SavedSnapshots {
    let permanent: [PersistentIdentifier: PersistentIdentifier]
    /// Models with other values than those that were saved.
    let others: [DefaultSnapshot]
}

/// The descriptor of the fetch that a context makes, from which the data store's request is made: a request
/// for Core Data does not lead back to it.
struct AskedDescriptor: @unchecked Sendable {
    @TaskLocal static var current: AskedDescriptor?

    let descriptor: Any
}

final class OpenedStore<Store: DataStore>: OpenedDataStore {
    private let store: Store

    init(_ store: Store) { self.store = store }

    var identifier: String { store.identifier }

    // MARK: Fetching

    func query(
        of type: any PersistentModel.Type, for request: NSFetchRequest<any NSFetchRequestResult>,
        _ state: EditingState
    ) throws -> DataStoreQuery {
        func query<Model: PersistentModel>(_ type: Model.Type) throws -> DataStoreQuery {
            let asked = AskedDescriptor.current?.descriptor as? FetchDescriptor<Model>
            var descriptor = asked ?? FetchDescriptor()
            let isOrdered = request.sortDescriptors.map { !$0.isEmpty } ?? false
            if asked == nil, isOrdered || request.predicate != nil {
                throw RefusedQuery("the request has no descriptor of \(type)")
            }
            if request.predicate == nil { descriptor.predicate = nil }
            if !isOrdered { descriptor.sortBy = [] }
            descriptor.fetchLimit = request.fetchLimit > 0 ? request.fetchLimit : nil
            descriptor.fetchOffset = request.fetchOffset > 0 ? request.fetchOffset : nil
            let question = DataStoreFetchRequest(descriptor: descriptor, editingState: state)
            let store = store
            return DataStoreQuery {
                try store.fetchCount(question)
            } identifiers: {
                try store.fetchIdentifiers(question)
            } snapshots: {
                let result = try store.fetch(question)
                return (
                    try result.fetchedSnapshots.map { try DefaultSnapshot($0) },
                    try result.relatedSnapshots.values.map { try DefaultSnapshot($0) }
                )
            }
        }
        return try query(type)
    }

    func cachedSnapshots(
        of identifier: PersistentIdentifier, _ state: EditingState
    ) throws -> [DefaultSnapshot] {
        try store.cachedSnapshots(for: [identifier], editingState: state).values
            .map { try DefaultSnapshot($0) }
    }

    func snapshots(
        of type: any PersistentModel.Type, _ identifier: PersistentIdentifier, _ state: EditingState
    ) throws -> [DefaultSnapshot] {
        func fetch<Model: PersistentModel>(_ type: Model.Type) throws -> [DefaultSnapshot] {
            func ask(_ predicate: Predicate<Model>?) throws -> [DefaultSnapshot] {
                let result = try store.fetch(
                    DataStoreFetchRequest(
                        descriptor: FetchDescriptor(predicate: predicate), editingState: state))
                let all = result.fetchedSnapshots + result.relatedSnapshots.values
                return try all.map { try DefaultSnapshot($0) }
            }
            do {
                return try ask(#Predicate { $0.persistentModelID == identifier })
            } catch DataStoreError.preferInMemoryFilter {
                return try ask(nil)
            }
        }
        return try fetch(type)
    }

    // MARK: Saving

    func save(
        inserted: [(ModelObject, any PersistentModel)], updated: [(ModelObject, any PersistentModel)],
        deleted: [(ModelObject, any PersistentModel)], _ state: EditingState
    ) throws -> SavedSnapshots {
        func backing<Model: PersistentModel>(_ object: ModelObject, _ model: Model) -> any BackingData {
            ObjectBackingData<Model>(object)
        }
        func all(_ models: [(ModelObject, any PersistentModel)]) -> [any BackingData] {
            models.map { backing($0, $1) }
        }
        let (new, changed, gone) = (all(inserted), all(updated), all(deleted))
        var related: [PersistentIdentifier: any BackingData] = [:]
        for data in new + changed + gone {
            if let id = data.persistentModelID { related[id] = data }
        }
        func snapshots(_ data: [any BackingData]) -> [Store.Snapshot] {
            data.map { Store.Snapshot(from: $0, relatedBackingDatas: &related) }
        }
        let result = try store.save(
            DataStoreSaveChangesRequest(
                editingState: state, inserted: snapshots(new), updated: snapshots(changed),
                deleted: snapshots(gone)))
        return SavedSnapshots(
            permanent: result.remappedIdentifiers,
            others: try result.snapshotsToReregister.values.map { try DefaultSnapshot($0) })
    }

    func erase() throws { try store.erase() }
    func initializeState(for editingState: EditingState) { store.initializeState(for: editingState) }
    func invalidateState(for editingState: EditingState) { store.invalidateState(for: editingState) }

    func delete<Model: PersistentModel>(_ request: DataStoreBatchDeleteRequest<Model>) throws -> Bool {
        guard let store = store as? any DataStoreBatching else { return false }
        try store.delete(request)
        return true
    }

    // MARK: History

    func fetchHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws -> [Transaction]? {
        func fetch<Provider: HistoryProviding>(_ store: Provider) throws -> [Transaction]? {
            guard let own = descriptor as? HistoryDescriptor<Provider.HistoryType> else { return nil }
            return try store.fetchHistory(own) as? [Transaction]
        }
        return try (store as? any HistoryProviding).flatMap { try fetch($0) }
    }

    func deleteHistory<Transaction: HistoryTransaction>(
        _ descriptor: HistoryDescriptor<Transaction>
    ) throws -> Bool {
        func delete<Provider: HistoryProviding>(_ store: Provider) throws -> Bool {
            guard let own = descriptor as? HistoryDescriptor<Provider.HistoryType> else { return false }
            try store.deleteHistory(own)
            return true
        }
        return try (store as? any HistoryProviding).map { try delete($0) } ?? false
    }
}
