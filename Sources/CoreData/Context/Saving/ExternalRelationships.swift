import CoreDataModelFormat
import CoreDataStore
import Foundation

/// Relationships between objects of different stores, which no store can keep: rows name one another by keys
/// of their own store.
struct ExternalRelationships {
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) {
        self.context = context
    }

    /// Throws an error that names both objects if an object to be saved has such a relationship.
    func refuse() throws {
        guard context.requiredCoordinator.handles.count > 1 else { return }
        for object in context.tracker.tracked where object.isDirty && !object.isDeleted {
            for index in object.runtime.relationshipSlots {
                let slot = object.runtime.slot(at: index)
                guard !slot.isTransient, let other = stranger(to: object, at: slot) else { continue }
                throw CoreDataError.error(
                    NSManagedObjectExternalRelationshipError,
                    reason:
                        "\(object.objectID.uriRepresentation()) has in the relationship \"\(slot.name)\" an "
                        + "object of another store, \(other.objectID.uriRepresentation()): use a fetched property.",
                    [
                        NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: slot.name,
                        NSValidationValueErrorKey: other, NSAffectedObjectsErrorKey: [object, other],
                    ])
            }
        }
    }

    /// Returns an object of another store among those that were set in a relationship, without reading the
    /// store.
    private func stranger(to object: NSManagedObject, at slot: PropertySlot) -> NSManagedObject? {
        let value = object.side(at: slot.index)
        let known: [NSManagedObject]
        if let members = value as? ToManyValue {
            known = members.isChanged ? members.array : []
        } else if let destination = value as? NSManagedObject {
            known =
                slot.column.flatMap { object.row?.toOne($0) } == destination.reference ? [destination] : []
        } else {
            return nil
        }
        if known.isEmpty { return nil }
        guard let home = store(of: object) else { return nil }
        return known.first { other in !other.isDeleted && store(of: other).map { $0 != home } ?? false }
    }

    /// Returns the store of an object; nil for an unsaved object of the parent, which decides on the store.
    private func store(of object: NSManagedObject) -> Int16? {
        if object.storeIndex >= 0 { return object.storeIndex }
        if context.source != nil, !object.isInserted { return nil }
        return context.handle(keeping: object)?.index
    }
}
