import CoreData

extension ModelContainer {
    /// Deletes all models from the container's stores, which stay open.
    ///
    /// Models of all contexts that merge stand for deleted rows then. The history stays, so that other programs
    /// learn of it. An entity at a time goes: erasing that broke off is done again.
    ///
    /// - Throws: The store's error; 1600 in `NSCocoaErrorDomain` if delete rules deny the deletion in whichever
    ///   order.
    public func erase() throws {
        let context = ModelContext(self)
        var types = types.values.map(\.type).filter { Schema.superclass(of: $0) == nil }
            .sorted { Schema.entityName(for: $0) < Schema.entityName(for: $1) }
        for store in dataStores {
            let ids = try types.flatMap { try context.ids(of: $0) }.filter { $0.persistentStore === store }
            do {
                try store.call { try $0.erase() }
            } catch DataStoreError.unsupportedFeature {
                continue
            }
            store.forget(ids)
            context.context.announceDeletion(of: ids)
        }
        while !types.isEmpty {
            var denied: [any PersistentModel.Type] = []
            var refusal: (any Error)?
            for type in types {
                do {
                    try context.deleteAll(type)
                } catch let error as NSError where Self.denials.contains(error.code) {
                    // The models that deny it may go with another entity.
                    denied.append(type)
                    refusal = error
                }
            }
            if denied.count == types.count, let refusal { throw refusal }
            types = denied
        }
    }

    /// The codes of an error that a delete rule denies one or several deletions.
    private static let denials = [
        NSValidationRelationshipDeniedDeleteError, NSValidationMultipleErrorsError,
    ]

    /// Deletes all models, as `erase()` does.
    public func deleteAllData() {
        do {
            try erase()
        } catch {
            FrameworkLog.error("A container could not delete all data: \(error)")
        }
    }
}

extension ModelContext {
    /// Returns the IDs of all saved models of a class.
    fileprivate func ids<Model: PersistentModel>(of type: Model.Type) throws -> [NSManagedObjectID] {
        try fetchIdentifiers(FetchDescriptor<Model>()).map(\.objectID)
    }

    fileprivate func deleteAll<Model: PersistentModel>(_ type: Model.Type) throws { try delete(model: type) }
}
