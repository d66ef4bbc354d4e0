public import Foundation
import CoreData

extension ModelContext {
    /// Deletes a model at the next save; a model that was never saved leaves the context.
    ///
    /// Does nothing if the model's row is gone already.
    public func delete<Model: PersistentModel>(_ model: Model) {
        let object = model.backing
        if object.formerID != nil { return }
        guard object.managedObjectContext === context else {
            programmerError("A \(Model.self) that is not in the context cannot be deleted.")
        }
        if !object.isHeld { object.hold() }
        context.delete(object)
    }

    /// Deletes all saved models of a class that meet a condition, at once and without reading them.
    ///
    /// Delete rules are applied. Models of all contexts of the container that merge stand for deleted rows
    /// then, as after a save. Inserted models that are not saved yet stay; whether a saved one meets the
    /// condition is decided by its row, not by unsaved changes.
    ///
    /// - Parameters:
    ///   - model: The class.
    ///   - predicate: The condition; nil for all.
    ///   - includeSubclasses: Whether models of subclasses count.
    /// - Throws: `SwiftDataError` that names what cannot be asked of a store; the store's error, among them
    ///   1600 in `NSCocoaErrorDomain` if a delete rule denies a deletion. Nothing is deleted then.
    public func delete<Model: PersistentModel>(
        model: Model.Type, where predicate: Predicate<Model>? = nil, includeSubclasses: Bool = true
    ) throws {
        if !dataStores.isEmpty {
            return try deleteInDataStores(model, predicate, includeSubclasses: includeSubclasses)
        }
        let fetch = try request(
            FetchDescriptor(predicate: predicate), .managedObjectResultType, of: ModelObject.self)
        fetch.includesSubentities = includeSubclasses
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        let result = try current.execute(request) as? NSBatchDeleteResult
        context.announceDeletion(of: result?.result as? [NSManagedObjectID] ?? [])
    }

    /// Deletes saved models of a container with data stores: by the store that has the class, if it can, else
    /// by a save.
    private func deleteInDataStores<Model: PersistentModel>(
        _ model: Model.Type, _ predicate: Predicate<Model>?, includeSubclasses: Bool
    ) throws {
        var descriptor = FetchDescriptor(predicate: predicate)
        descriptor.includePendingChanges = false
        let ids = try fetchIdentifiers(descriptor).compactMap(objectID).filter {
            includeSubclasses || $0.entity.name == Schema.entityName(for: model)
        }
        let stores = Set(ids.compactMap { $0.persistentStore as? CustomStore })
        let request = DataStoreBatchDeleteRequest(
            editingState: editingState, predicate: predicate, includeSubclasses: includeSubclasses)
        var rest = ids
        for store in stores where try store.call({ try $0.delete(request) }) {
            let gone = rest.filter { $0.persistentStore === store }
            store.forget(gone)
            context.announceDeletion(of: gone)
            rest.removeAll { $0.persistentStore === store }
        }
        if rest.isEmpty { return }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = container.coordinator
        try context.performAndWait {
            for id in rest { context.delete(context.object(with: id)) }
            try context.save()
        }
    }
}
