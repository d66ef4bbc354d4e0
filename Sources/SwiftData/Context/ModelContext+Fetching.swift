import CoreData

extension ModelContext {
    /// Returns the models that a descriptor asks for.
    ///
    /// Traps if the container does not have the class; so do all requests.
    ///
    /// - Throws: `SwiftDataError` that names what cannot be asked of a store; the store's error.
    public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
        let objects = try asking(descriptor) {
            try current.fetch(request(descriptor, .managedObjectResultType, of: ModelObject.self))
        }
        return objects.map { $0.model(Model.self) }
    }

    /// Returns how many models a descriptor asks for, without reading them.
    public func fetchCount<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> Int {
        try asking(descriptor) {
            try current.count(for: request(descriptor, .managedObjectResultType, of: ModelObject.self))
        }
    }

    /// Returns the identifiers of the models that a descriptor asks for, without reading them.
    public func fetchIdentifiers<Model: PersistentModel>(
        _ descriptor: FetchDescriptor<Model>
    ) throws -> [PersistentIdentifier] {
        let ids = try asking(descriptor) {
            try current.fetch(request(descriptor, .managedObjectIDResultType, of: NSManagedObjectID.self))
        }
        return identifiers(of: ids)
    }

    /// Returns the identifiers of rows; looks a single store up once.
    func identifiers(of ids: some Collection<NSManagedObjectID>) -> [PersistentIdentifier] {
        let stores = context.persistentStoreCoordinator?.persistentStores ?? []
        guard stores.count == 1, let store = stores[0].identifier else {
            return ids.map { PersistentIdentifier($0) }
        }
        return ids.map { PersistentIdentifier($0, inStore: $0.isTemporaryID ? nil : store) }
    }

    /// Returns the model of an identifier, which is read when it is first used.
    ///
    /// If its row is gone by then, it reads as empty. Traps if the identifier is of a store that the container
    /// does not have.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        guard let id = objectID(of: identifier) else {
            programmerError(
                "No store of this container has the model \(identifier): ask a context of its container.")
        }
        return (current.object(with: id) as! ModelObject).anyModel(in: container)
    }

    /// Returns the model of an identifier if the context has it; nil otherwise, or for one of another class.
    public func registeredModel<Model: PersistentModel>(for identifier: PersistentIdentifier) -> Model? {
        guard let id = objectID(of: identifier) else { return nil }
        return (current.registeredObject(for: id) as? ModelObject)?.anyModel(in: container) as? Model
    }

    /// Returns the ID of an identifier in the container's stores; nil if none of them can have it.
    func objectID(of identifier: PersistentIdentifier) -> NSManagedObjectID? {
        context.persistentStoreCoordinator.flatMap { identifier.objectID(in: $0) }
    }

    /// Returns the request of a descriptor for Core Data; traps if the container does not have the class.
    ///
    /// - Throws: `SwiftDataError` that names what cannot be asked of a store.
    func request<Model: PersistentModel, Result: NSFetchRequestResult>(
        _ descriptor: FetchDescriptor<Model>, _ kind: NSFetchRequestResultType, of result: Result.Type
    ) throws(SwiftDataError) -> NSFetchRequest<Result> {
        require(Model.self)
        let request = try descriptor.request(kind, of: result)
        // What a data store hands out is newer than what contexts have.
        request.shouldRefreshRefetchedObjects = !dataStores.isEmpty
        return request
    }

    /// Makes a fetch whose descriptor data stores get to see.
    func asking<Model: PersistentModel, Answer>(
        _ descriptor: FetchDescriptor<Model>, _ fetch: () throws -> Answer
    ) rethrows -> Answer {
        if dataStores.isEmpty { return try fetch() }
        return try AskedDescriptor.$current.withValue(
            AskedDescriptor(descriptor: descriptor), operation: fetch)
    }

    /// Traps if the container does not have a class, also if it has another one of the same name.
    func require(_ type: any PersistentModel.Type) {
        let name = Schema.entityName(for: type)
        let known = types[name]?.type
        if known == type { return }
        let other = known.map { ", whose \(name) is \(String(reflecting: $0))" } ?? ""
        programmerError(
            "The model \(String(reflecting: type)) is not in the schema of the container\(other): add it, or "
                + "use a container of its schema.")
    }
}
