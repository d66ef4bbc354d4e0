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
    ///
    /// What was saved since is an edit, and stays. Transformable values and those that may lie in files of their own,
    /// which a store cannot compare, are read again right before they are set.
    ///
    /// - Returns: The objects that have something else now than the import has left.
    func takeBack(in context: NSManagedObjectContext) throws -> Set<NSManagedObjectID> {
        var edited: Set<NSManagedObjectID> = []
        for row in plan.rows where !row.isDeleted {
            guard let (object, entity) = object(row, context) else { continue }
            let hooked = try hookedValues(of: object, row, entity)
            guard !hooked.isEmpty else { continue }
            let present = try present(hooked, object, entity)
            if present.count == hooked.count, try set(present, of: object, in: context) { continue }
            for value in present { _ = try set([value], of: object, in: context) }
            edited.insert(object.objectID)
        }
        return edited
    }

    /// Returns the values that the store still has, or can compare itself.
    private func present(
        _ values: [HookedValue], _ object: NSManagedObject, _ entity: EntityBinding
    ) throws -> [HookedValue] {
        guard values.contains(where: { $0.condition == nil }) else { return values }
        let context = reader.access.makeContext()
        let id = object.objectID
        return try context.performAndWait {
            guard let object = try reader.fetch([id], entity, in: context).first else { return [] }
            return values.filter { $0.condition != nil || $0.isThere(in: object) }
        }
    }

    /// Sets values back if the store still has what the app's code has made of all of them. Returns whether it did.
    private func set(
        _ values: [HookedValue], of object: NSManagedObject, in context: NSManagedObjectContext
    ) throws -> Bool {
        let request = NSBatchUpdateRequest(entityName: object.entity.name ?? "")
        request.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [NSPredicate(format: "SELF == %@", object.objectID)]
                + values.compactMap(\.condition))
        request.propertiesToUpdate = Dictionary(
            values.map { ($0.attribute.property, $0.wanted ?? NSNull()) }, uniquingKeysWith: { $1 })
        request.affectedStores = [reader.access.store]
        request.resultType = .updatedObjectsCountResultType
        return (try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 1
    }

    private func hookedValues(
        of object: NSManagedObject, _ row: ImportPlan.Row, _ entity: EntityBinding
    ) throws -> [HookedValue] {
        var hooked: [HookedValue] = []
        for register in entity.registers {
            guard let wanted = row.values[register.name]?.value ?? (row.local == nil ? .null : nil) else {
                for (attribute, _) in register.attributes(of: .null) {
                    guard let former = former[object.objectID]?[attribute.property] else { continue }
                    let present = object.primitive(attribute.property)
                    if StoreValue.read(former, attribute) != StoreValue.read(present, attribute) {
                        hooked.append(HookedValue(attribute, wanted: former, present: present))
                    }
                }
                continue
            }
            for (attribute, value) in register.attributes(of: wanted) {
                if !StoreValue.isShown(value, attribute, by: object) {
                    let wanted = StoreValue.object(try reader.blobs.whole(value), attribute)
                    let present = object.primitive(attribute.property)
                    hooked.append(HookedValue(attribute, wanted: wanted, present: present))
                }
            }
        }
        return hooked
    }
}

/// A value that the app's code has made of what the import wrote.
private struct HookedValue {
    let attribute: AttributeBinding
    /// What the import has left; nil for no value.
    let wanted: Any?
    private let present: Any?
    /// Whether an object of the store still has the value; nil if the store cannot compare such values.
    let condition: NSPredicate?

    init(_ attribute: AttributeBinding, wanted: Any?, present: Any?) {
        self.attribute = attribute
        self.wanted = wanted
        self.present = present
        condition = Self.condition(attribute, attribute.property, present)
    }

    func isThere(in object: NSManagedObject) -> Bool {
        let value = StoreValue.read(object.primitive(attribute.property), attribute)
        return value == StoreValue.read(present, attribute)
    }

    private static func condition(
        _ attribute: AttributeBinding, _ path: String, _ present: Any?
    ) -> NSPredicate? {
        guard let present else { return NSPredicate(format: "%K == nil", path) }
        switch attribute.type {
        case .transformableAttributeType: return nil
        case .binaryDataAttributeType where attribute.isExternal: return nil
        case .compositeAttributeType:
            let values = present as? [String: Any] ?? [:]
            var conditions: [NSPredicate] = []
            for element in attribute.elements {
                let path = "\(path).\(element.property)"
                guard let condition = condition(element, path, values[element.property]) else { return nil }
                conditions.append(condition)
            }
            return NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
        default:
            return NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: path),
                rightExpression: NSExpression(forConstantValue: present), modifier: .direct, type: .equalTo)
        }
    }
}
