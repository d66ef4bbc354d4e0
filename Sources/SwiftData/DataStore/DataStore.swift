/// A store of an app's own: a file in another format, a web service, another database.
///
/// A container makes it from its configuration, asks it for snapshots of models, and hands it the snapshots of
/// models to save. One call runs at a time, on the queue of the context that asks; from then on contexts,
/// faults and relationships are the framework's matter.
public protocol DataStore: AnyObject {
    /// What the store is made from.
    associatedtype Configuration: DataStoreConfiguration where Configuration.Store == Self
    /// The form in which the store takes and hands out the values of models.
    associatedtype Snapshot: DataStoreSnapshot

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - configuration: What the store is made from, with the schema of the container if it had none.
    ///   - migrationPlan: The plan of the container; nil for none. The store applies it itself.
    /// - Throws: The error with which the container cannot be made.
    init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws

    /// What the store is made from.
    var configuration: Configuration { get }
    /// The identity of the store, which identifiers of its models carry.
    var identifier: String { get }
    /// The models that the store keeps.
    var schema: Schema { get }

    /// Returns snapshots of the models that a request asks for, in its order.
    ///
    /// - Throws: `DataStoreError.preferInMemoryFilter` or `.preferInMemorySort` if the store cannot apply the
    ///   condition or the order: then it is asked for all models of the class, and the framework does. Any
    ///   other error is that of the fetch.
    func fetch<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> DataStoreFetchResult<Model, Snapshot>

    /// Returns how many models a request asks for; by default the number of snapshots that `fetch(_:)`
    /// returns.
    func fetchCount<Model: PersistentModel>(_ request: DataStoreFetchRequest<Model>) throws -> Int

    /// Returns the identifiers of the models that a request asks for; by default those of the snapshots that
    /// `fetch(_:)` returns.
    func fetchIdentifiers<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> [PersistentIdentifier]

    /// Writes inserted, updated and deleted models.
    ///
    /// - Returns: The permanent identifiers of all inserted models, by the temporary ones of their snapshots.
    /// - Throws: The error of the save; the context keeps its changes.
    func save(
        _ request: DataStoreSaveChangesRequest<Snapshot>
    ) throws -> DataStoreSaveChangesResult<Snapshot>

    /// Deletes all models; throws `DataStoreError.unsupportedFeature` unless implemented, and then models are
    /// deleted by a save.
    func erase() throws

    /// Called when a context begins to use the store; does nothing unless implemented.
    func initializeState(for editingState: EditingState)
    /// Called when a context does not use the store any more; does nothing unless implemented.
    func invalidateState(for editingState: EditingState)

    /// Returns snapshots that the store has at hand, of models whose values are needed: none unless
    /// implemented. Others are fetched by their identifiers.
    func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot]
}

extension DataStore {
    /// Counts the snapshots of a fetch.
    public func fetchCount<Model: PersistentModel>(_ request: DataStoreFetchRequest<Model>) throws -> Int {
        try fetch(request).fetchedSnapshots.count
    }

    /// Returns the identifiers of the snapshots of a fetch.
    public func fetchIdentifiers<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> [PersistentIdentifier] {
        try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    }

    /// Throws `DataStoreError.unsupportedFeature`.
    public func erase() throws { throw DataStoreError.unsupportedFeature }

    /// Does nothing.
    public func initializeState(for editingState: EditingState) {}
    /// Does nothing.
    public func invalidateState(for editingState: EditingState) {}

    /// Returns no snapshots.
    public func cachedSnapshots(
        for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
    ) throws -> [PersistentIdentifier: Snapshot] { [:] }
}

/// What a store is made from.
public protocol DataStoreConfiguration: Hashable {
    /// The class of the store.
    associatedtype Store: DataStore where Store.Configuration == Self

    /// The name, which no other configuration of a container has.
    var name: String { get }
    /// The models to store; nil for all of the container, which sets it before the store is made.
    var schema: Schema? { get set }

    /// Throws an error if no store can be made; does nothing unless implemented.
    func validate() throws
}

extension DataStoreConfiguration {
    /// Does nothing.
    public func validate() throws {}
}

/// A store that deletes models without handing out snapshots of them.
public protocol DataStoreBatching: DataStore {
    /// Deletes the models that a request asks for.
    func delete<Model: PersistentModel>(_ request: DataStoreBatchDeleteRequest<Model>) throws
}

/// A store that keeps a history of what was saved to it.
public protocol HistoryProviding: DataStore {
    /// The type of its transactions.
    associatedtype HistoryType: HistoryTransaction

    /// Returns the transactions that a descriptor asks for.
    func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]
    /// Deletes the transactions that a descriptor asks for.
    func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

/// What a store cannot do.
public enum DataStoreError: Error, Hashable, Sendable {
    /// The condition of a request has no meaning in the store: the fetch fails.
    case invalidPredicate
    /// The store hands out all models of the class, and the framework tests the condition.
    case preferInMemoryFilter
    /// The store hands out all models of the class, and the framework sorts them.
    case preferInMemorySort
    /// The store cannot do what it is asked for.
    case unsupportedFeature
}
