public import Foundation

/// What a context asks a store for.
public struct DataStoreFetchRequest<Model: PersistentModel> {
    /// The condition, order and range.
    public var descriptor: FetchDescriptor<Model>
    /// Who asks.
    public var editingState: EditingState

    /// Makes a request.
    public init(descriptor: FetchDescriptor<Model>, editingState: EditingState) {
        self.descriptor = descriptor
        self.editingState = editingState
    }
}

/// What a store found.
public struct DataStoreFetchResult<Model: PersistentModel, Snapshot: DataStoreSnapshot> {
    /// The descriptor of the request.
    public let descriptor: FetchDescriptor<Model>
    /// The models that were asked for, in their order.
    public let fetchedSnapshots: [Snapshot]
    /// Other models to which they refer and that the store has at hand.
    public let relatedSnapshots: [PersistentIdentifier: Snapshot]

    /// Makes a result.
    public init(
        descriptor: FetchDescriptor<Model>, fetchedSnapshots: [Snapshot],
        relatedSnapshots: [PersistentIdentifier: Snapshot] = [:]
    ) {
        self.descriptor = descriptor
        self.fetchedSnapshots = fetchedSnapshots
        self.relatedSnapshots = relatedSnapshots
    }
}

/// What a context saves to a store.
public struct DataStoreSaveChangesRequest<Snapshot: DataStoreSnapshot> {
    /// Who saves.
    public let editingState: EditingState
    /// New models, with temporary identifiers, by which snapshots also refer to one another.
    public let inserted: [Snapshot]
    /// Models with changed values or relationships, with all their values.
    public let updated: [Snapshot]
    /// Models that go, with the values that they had.
    public let deleted: [Snapshot]

    /// Makes a request.
    public init(
        editingState: EditingState, inserted: [Snapshot], updated: [Snapshot], deleted: [Snapshot]
    ) {
        self.editingState = editingState
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }
}

/// What a store has saved.
public struct DataStoreSaveChangesResult<Snapshot: DataStoreSnapshot> {
    /// The identity of the store.
    public let storeIdentifier: String
    /// The permanent identifiers of inserted models, by their temporary ones.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Models to which the store has given other values than it was asked to save.
    public let snapshotsToReregister: [PersistentIdentifier: Snapshot]

    /// Makes a result.
    public init(
        for storeIdentifier: String,
        remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: Snapshot] = [:]
    ) {
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
    }
}

/// Which models of a class a store is to delete.
public struct DataStoreBatchDeleteRequest<Model: PersistentModel> {
    /// Who deletes.
    public let editingState: EditingState
    /// The condition; nil for all.
    public let predicate: Predicate<Model>?
    /// Whether models of subclasses count.
    public let includeSubclasses: Bool

    /// Makes a request.
    public init(
        editingState: EditingState, predicate: Predicate<Model>? = nil, includeSubclasses: Bool = true
    ) {
        self.editingState = editingState
        self.predicate = predicate
        self.includeSubclasses = includeSubclasses
    }
}
