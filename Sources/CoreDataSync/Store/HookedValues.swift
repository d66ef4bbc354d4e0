internal import CoreData
internal import CoreDataSyncCore
internal import Foundation

/// The values that the app's own code changes in the objects of an import while it is saved.
///
/// They are set back: devices whose code writes into objects on each save would otherwise answer one another for
/// ever.
struct HookedValues {
    private let reader: StoreReader
    private let plan: ImportPlan
    private let objects: [SyncID: NSManagedObjectID]
    /// What objects with code of the app's have besides what the import writes, by property; nil for no value.
    private var former: [NSManagedObjectID: [String: Any?]] = [:]

    /// Notes what is there before the save.
    init(
        before plan: ImportPlan, _ objects: [SyncID: NSManagedObjectID], _ reader: StoreReader,
        in context: NSManagedObjectContext
    ) {
        self.reader = reader
        self.plan = plan
        self.objects = objects
        for row in plan.rows where !row.isDeleted && row.local != nil {
            guard let (object, entity) = object(row, context), type(of: object) != NSManagedObject.self else {
                continue
            }
            var values: [String: Any?] = [:]
            for register in entity.registers where row.values[register.name] == nil {
                for (attribute, _) in register.attributes(of: .null) {
                    values.updateValue(object.primitive(attribute.property), forKey: attribute.property)
                }
            }
            former[object.objectID] = values
        }
    }

    private func object(
        _ row: ImportPlan.Row, _ context: NSManagedObjectContext
    ) -> (NSManagedObject, EntityBinding)? {
        guard let id = objects[row.id], let object = context.registeredObject(for: id),
            let entity = reader.binding.entity(named: id.entity.name)
        else { return nil }
        return (object, entity)
    }

    /// Sets the values back after the save, in the store alone, where no code of the app's is asked.
    func takeBack(in context: NSManagedObjectContext) throws {
        for row in plan.rows where !row.isDeleted {
            guard let (object, entity) = object(row, context) else { continue }
            let changed = try changedValues(of: object, row, entity)
            guard !changed.isEmpty else { continue }
            let request = NSBatchUpdateRequest(entityName: entity.name)
            request.predicate = NSPredicate(format: "SELF == %@", object.objectID)
            request.propertiesToUpdate = changed
            request.affectedStores = [reader.access.store]
            _ = try context.execute(request)
        }
    }

    private func changedValues(
        of object: NSManagedObject, _ row: ImportPlan.Row, _ entity: EntityBinding
    ) throws -> [AnyHashable: Any] {
        var changed: [AnyHashable: Any] = [:]
        for register in entity.registers {
            guard let wanted = row.values[register.name]?.value ?? (row.local == nil ? .null : nil) else {
                for (attribute, _) in register.attributes(of: .null) {
                    guard let former = former[object.objectID]?[attribute.property] else { continue }
                    let present = object.primitive(attribute.property)
                    if StoreValue.read(former, attribute) != StoreValue.read(present, attribute) {
                        changed[attribute.property] = former ?? NSNull()
                    }
                }
                continue
            }
            for (attribute, value) in register.attributes(of: wanted) {
                if !StoreValue.isShown(value, attribute, by: object) {
                    let value = try reader.blobs.whole(value)
                    changed[attribute.property] = StoreValue.object(value, attribute) ?? NSNull()
                }
            }
        }
        return changed
    }
}
