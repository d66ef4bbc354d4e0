import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The objects behind the changes of a save, for stores that work with objects.
struct SavedObjects {
    let inserted: [NSManagedObject]
    let updated: [NSManagedObject]
    let deleted: [NSManagedObject]
    let verified: [NSManagedObject]

    init(_ changes: ChangeSet, of store: NSPersistentStore, in context: NSManagedObjectContext) {
        let model = context.requiredCoordinator.frozen
        let storeIndex = context.requiredCoordinator.index(of: store) ?? -1
        func object(_ reference: ObjectReference) -> NSManagedObject? {
            // An object that is named by the save is in no store yet.
            context.registry.object(
                reference, storeIndex: reference.isTemporary ? -1 : storeIndex,
                root: model.runtime(reference.entity).root)
        }
        inserted = changes.inserted.references.compactMap(object)
        let new = Set(inserted)
        var changed: [ObjectReference] = changes.updated.map(\.reference)
        var known = Set(changed)
        for link in changes.links where known.insert(link.owner).inserted { changed.append(link.owner) }
        deleted = changes.deleted.compactMap { object($0.reference) }
        let gone = Set(deleted)
        updated = changed.compactMap(object).filter { !new.contains($0) && !gone.contains($0) }
        verified = changes.expected.compactMap { object($0.reference) }
    }
}
