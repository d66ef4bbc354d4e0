import CoreData

extension ModelContext {
    /// Returns the models that a descriptor asks for.
    ///
    /// - Throws: `SwiftDataError` that names what cannot be asked of a store; the store's error.
    public func fetch<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> [Model] {
        let objects = try current.fetch(descriptor.request(.managedObjectResultType, of: ModelObject.self))
        return objects.map { $0.model(Model.self) }
    }

    /// Returns how many models a descriptor asks for, without reading them.
    public func fetchCount<Model: PersistentModel>(_ descriptor: FetchDescriptor<Model>) throws -> Int {
        try current.count(for: descriptor.request(.managedObjectResultType, of: ModelObject.self))
    }

    /// Returns the identifiers of the models that a descriptor asks for, without reading them.
    public func fetchIdentifiers<Model: PersistentModel>(
        _ descriptor: FetchDescriptor<Model>
    ) throws -> [PersistentIdentifier] {
        let request = try descriptor.request(.managedObjectIDResultType, of: NSManagedObjectID.self)
        return try current.fetch(request).map { PersistentIdentifier($0) }
    }

    /// Returns the model of an identifier, which is read when it is first used.
    ///
    /// If its row is gone by then, it reads as empty.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        let object = current.object(with: identifier.objectID) as! ModelObject
        return object.anyModel(in: container)
    }

    /// Returns the model of an identifier if the context has it; nil otherwise, or for one of another class.
    public func registeredModel<Model: PersistentModel>(for identifier: PersistentIdentifier) -> Model? {
        (current.registeredObject(for: identifier.objectID) as? ModelObject)?.anyModel(in: container)
            as? Model
    }
}
