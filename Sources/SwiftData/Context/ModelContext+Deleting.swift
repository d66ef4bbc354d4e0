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
        let fetch = try request(
            FetchDescriptor(predicate: predicate), .managedObjectResultType, of: ModelObject.self)
        fetch.includesSubentities = includeSubclasses
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        let result = try current.execute(request) as? NSBatchDeleteResult
        context.announceDeletion(of: result?.result as? [NSManagedObjectID] ?? [])
    }
}
