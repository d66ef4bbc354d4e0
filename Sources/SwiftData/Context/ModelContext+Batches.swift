import CoreData

extension ModelContext {
    /// Returns the models that a descriptor asks for, whose rows are read in batches when they are first used.
    ///
    /// - Parameters:
    ///   - descriptor: What to fetch.
    ///   - batchSize: How many rows are read at once.
    /// - Throws: `SwiftDataError` that names what cannot be asked of a store; the store's error.
    public func fetch<Model: PersistentModel>(
        _ descriptor: FetchDescriptor<Model>, batchSize: Int
    ) throws -> FetchResultsCollection<Model> {
        let request = try self.request(descriptor, .managedObjectResultType, of: ModelObject.self)
        request.fetchBatchSize = batchSize
        return FetchResultsCollection(try asking(descriptor) { try current.fetch(request) }) {
            $0.model(Model.self)
        }
    }

    /// Returns the identifiers of the models that a descriptor asks for.
    ///
    /// Identifiers are small, so that all are read at once.
    public func fetchIdentifiers<Model: PersistentModel>(
        _ descriptor: FetchDescriptor<Model>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> {
        FetchResultsCollection(try fetchIdentifiers(descriptor)) { $0 }
    }

    /// Calls a block with each of the models that a descriptor asks for, of which no more than a batch is in
    /// memory, unless the block keeps or changes models.
    ///
    /// Which models these are, and their order, is settled before the first call: the keys of their rows are in
    /// a temporary file meanwhile. Of several stores, of stores that are not databases, and where unsaved changes
    /// count, the context keeps the identifiers in memory; a PostgreSQL database sends all keys at once. A model
    /// is read with its batch, so that it has the values that are saved by then.
    ///
    /// Changes stay unsaved in the context. A model whose row is gone by then, or that an earlier call deleted, is
    /// passed over.
    ///
    /// - Parameters:
    ///   - descriptor: What to fetch.
    ///   - batchSize: How many models are read at once.
    ///   - allowEscapingMutations: Without effect: changes are always kept.
    ///   - block: What is done with each model.
    /// - Throws: `SwiftDataError` that names what cannot be asked of a store; the store's error; that of the
    ///   block, which ends the calls.
    public func enumerate<Model: PersistentModel>(
        _ descriptor: FetchDescriptor<Model>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (_ model: Model) throws -> Void
    ) throws {
        let all = try asking(descriptor) {
            try current.fetchIDs(request(descriptor, .managedObjectIDResultType, of: NSManagedObjectID.self))
        }
        let prefetched = try descriptor.request(.managedObjectResultType, of: ModelObject.self)
            .relationshipKeyPathsForPrefetching
        let size = max(1, batchSize)
        for start in stride(from: 0, to: all.count, by: size) {
            let ids = try all.ids(in: start..<min(start + size, all.count))
            let request = NSFetchRequest<ModelObject>(entityName: Schema.entityName(for: Model.self))
            request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
            request.relationshipKeyPathsForPrefetching = prefetched
            let objects = try context.fetch(request)
            let byID = Dictionary(objects.map { ($0.objectID, $0) }) { first, _ in first }
            for id in ids {
                guard let object = byID[id], !object.isDeleted else { continue }
                try block(object.model(Model.self))
            }
        }
    }
}
