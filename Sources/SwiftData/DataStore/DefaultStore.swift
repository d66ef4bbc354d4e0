import CoreData

/// A store in the layouts of Core Data by itself, for stores of an app's own that keep models in one and add
/// something to it.
///
/// A container makes none for a `ModelConfiguration`: its contexts use such a store without snapshots.
public final class DefaultStore: DataStoreBatching, HistoryProviding {
    /// Snapshots of models of any class.
    public typealias Snapshot = DefaultSnapshot

    /// What the store is made from.
    public let configuration: ModelConfiguration
    /// The identity of the store, which identifiers of its models carry.
    public let identifier: String
    private let container: ModelContainer

    /// Opens the store, and makes it if it does not exist.
    ///
    /// - Throws: `SwiftDataError` if the configuration has no schema, or the store cannot be opened.
    public init(
        _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
    ) throws {
        guard let schema = configuration.schema else {
            throw SwiftDataError(
                .loadIssueModelContainer,
                "the configuration \"\(configuration.name)\" has no schema: set it before the store is made")
        }
        self.configuration = configuration
        container = try ModelContainer(
            for: schema, migrationPlan: migrationPlan, configurations: [configuration])
        identifier = container.coordinator.persistentStores[0].identifier
    }

    /// The models that the store keeps.
    public var schema: Schema { container.schema }

    private func context(_ state: EditingState) -> ModelContext {
        let context = ModelContext(container)
        context.author = state.author
        return context
    }

    // MARK: Fetching

    /// Returns snapshots of the models that a request asks for, in its order.
    public func fetch<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> DataStoreFetchResult<Model, DefaultSnapshot> {
        let models = try context(request.editingState).fetch(request.descriptor)
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: models.map { DefaultSnapshot(of: $0, $0.backing) })
    }

    /// Returns how many models a request asks for, without reading them.
    public func fetchCount<Model: PersistentModel>(_ request: DataStoreFetchRequest<Model>) throws -> Int {
        try context(request.editingState).fetchCount(request.descriptor)
    }

    /// Returns the identifiers of the models that a request asks for, without reading them.
    public func fetchIdentifiers<Model: PersistentModel>(
        _ request: DataStoreFetchRequest<Model>
    ) throws -> [PersistentIdentifier] {
        try context(request.editingState).fetchIdentifiers(request.descriptor)
    }

    // MARK: Saving

    /// Writes inserted, updated and deleted models, or none.
    public func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        let context = context(request.editingState)
        let entities = container.coordinator.managedObjectModel.entitiesByName
        var made: [PersistentIdentifier: ModelObject] = [:]
        for snapshot in request.inserted {
            guard let entity = entities[snapshot.persistentIdentifier.entityName] else {
                throw SwiftDataError(
                    .unknownSchema, "the store has no \(snapshot.persistentIdentifier.entityName)")
            }
            made[snapshot.persistentIdentifier] = ModelObject(
                entity: entity, insertInto: context.managedObjectContext)
        }
        func object(_ identifier: PersistentIdentifier) throws -> ModelObject {
            if let new = made[identifier] { return new }
            guard let id = context.objectID(of: identifier),
                let found = try context.managedObjectContext.existingObject(with: id) as? ModelObject
            else { throw SwiftDataError(.unknownSchema, "\(identifier) is no model of the store") }
            return found
        }
        for snapshot in request.inserted + request.updated {
            try snapshot.write(to: object(snapshot.persistentIdentifier), destinations: object)
        }
        for snapshot in request.deleted {
            context.managedObjectContext.delete(try object(snapshot.persistentIdentifier))
        }
        try context.save()
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: made.mapValues { PersistentIdentifier($0.objectID) })
    }

    /// Deletes the models that a request asks for, at once and without reading them.
    public func delete<Model: PersistentModel>(_ request: DataStoreBatchDeleteRequest<Model>) throws {
        try context(request.editingState).delete(
            model: Model.self, where: request.predicate, includeSubclasses: request.includeSubclasses)
    }

    /// Deletes all models.
    public func erase() throws { try container.erase() }

    // MARK: History

    /// Returns the transactions that a descriptor asks for.
    public func fetchHistory(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    ) throws -> [DefaultHistoryTransaction] {
        try ModelContext(container).fetchHistory(descriptor)
    }

    /// Deletes the transactions that a descriptor asks for.
    public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
        try ModelContext(container).deleteHistory(descriptor)
    }
}

extension DefaultSnapshot {
    /// Gives an object the values of the snapshot.
    ///
    /// - Parameter destinations: Returns the object of an identifier.
    fileprivate func write(
        to object: ModelObject, destinations: (PersistentIdentifier) throws -> ModelObject
    ) throws {
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            guard case .attribute(let value)? = values[name] else {
                object.setValue(nil, forKey: name)
                continue
            }
            object.setValue(try attribute.stored(value), forKey: name)
        }
        for name in object.entity.relationshipsByName.keys {
            switch values[name] {
            case .destination(let id)?: object.setValue(try destinations(id), forKey: name)
            case .members(let ids)?: object.setValue(Set(try ids.map(destinations)), forKey: name)
            default:
                if object.entity.relationshipsByName[name]?.isToMany == false {
                    object.setValue(nil, forKey: name)
                }
            }
        }
    }
}
