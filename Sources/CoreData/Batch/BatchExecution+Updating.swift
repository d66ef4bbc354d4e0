import CoreDataModelFormat
import CoreDataPredicates
import CoreDataStore
import CoreDataValues
import Foundation

extension BatchExecution {
    func execute(_ request: NSBatchUpdateRequest) throws -> NSBatchUpdateResult {
        let index = try entityIndex(request.givenEntity, named: request.entityName, "NSBatchUpdateRequest")
        request.givenEntity = frozen.entity(index)
        var total = BatchTotal()
        let entities = frozen.compiled[index].family(includingSubentities: request.includesSubentities)
        let targets = try targets(of: entities, request)
        let found = try idsFoundInMemory(request, index, targets)
        for target in targets {
            let batch = BatchUpdate(
                entity: index, includesSubentities: request.includesSubentities,
                predicate: found.map { predicate(matching: $0, in: target) }
                    ?? request.predicate.map { target.handle.local($0.node, of: coordinator) },
                assignments: try assignments(request, to: frozen.runtime(index), in: target),
                terms: terms(wantsReferences: request.resultType == .updatedObjectIDsResultType))
            let receipt = try run(in: target) { backend throws(StoreError) in try backend.run(batch) }
            total.add(receipt, ids(receipt.references, in: target))
        }
        let result: Any =
            switch request.resultType {
            case .statusOnlyResultType: NSNumber(value: true)
            case .updatedObjectIDsResultType: total.ids
            case .updatedObjectsCountResultType: NSNumber(value: total.count)
            }
        return NSBatchUpdateResult(result, type: request.resultType)
    }

    /// Returns the IDs of the rows to update if SQL cannot express the predicate; nil if it can.
    private func idsFoundInMemory(
        _ request: NSBatchUpdateRequest, _ entity: EntityIndex, _ targets: [Target]
    ) throws -> [NSManagedObjectID]? {
        let query = FetchQuery(
            entity: entity, includesSubentities: request.includesSubentities,
            predicate: request.predicate?.node, shape: .references)
        guard try needsMemory(query, targets) else { return nil }
        let fetch = FetchRequestStorage()
        fetch.entity = frozen.entity(entity)
        fetch.predicate = request.predicate
        fetch.includesSubentities = request.includesSubentities
        fetch.affectedStores = request.affectedStores
        return try storedIDs(fetch)
    }

    private func predicate(matching ids: [NSManagedObjectID], in target: Target) -> PredicateNode {
        let own = ids.filter { $0.persistentStore === target.handle.store }
        return NSPredicate(format: "SELF IN %@", argumentArray: [own]).node
    }

    // MARK: Values

    private func assignments(
        _ request: NSBatchUpdateRequest, to runtime: EntityRuntime, in target: Target
    ) throws -> [BatchUpdate.Assignment] {
        let properties = request.propertiesToUpdate ?? [:]
        guard !properties.isEmpty else {
            throw unusable("The batch update of \(runtime.name) has no propertiesToUpdate.")
        }
        return try properties.map { property, value in
            let slot = try slot(property, of: runtime)
            return .init(slot: slot.index, value: try self.value(value, for: slot, of: runtime, in: target))
        }.sorted { $0.slot < $1.slot }
    }

    private func slot(_ property: AnyHashable, of runtime: EntityRuntime) throws -> PropertySlot {
        let entity = runtime.name
        guard let name = (property.base as? NSPropertyDescription)?.name ?? property.base as? String else {
            throw unusable(
                "propertiesToUpdate of \(entity) takes names and property descriptions, not \(property.base)."
            )
        }
        guard let slot = runtime.slot(named: name) else {
            throw unusable("propertiesToUpdate names \"\(name)\", which is no property of \(entity).")
        }
        guard slot.column != nil else {
            let kind = slot.isToMany ? "a to-many relationship" : "not stored"
            throw unusable("\(entity).\(name) is \(kind): a batch update cannot set it.")
        }
        guard slot.attribute?.derivation == nil else {
            throw unusable("\(entity).\(name) is derived: the store computes it.")
        }
        return slot
    }

    private func value(
        _ value: Any, for slot: PropertySlot, of runtime: EntityRuntime, in target: Target
    ) throws -> BatchUpdate.Value {
        var value: Any? = value
        if let expression = value as? NSExpression {
            guard case .constant = expression.node else { return .expression(expression.node) }
            value = expression.constantValue
        }
        guard let value, !(value is NSNull) else { return .constant(.null) }
        if let relationship = slot.relationship {
            return .constant(.reference(try destination(value, relationship, slot, runtime, target)))
        }
        do throws(UnacceptableValue) {
            return .constant(
                try ValueBox.stored(
                    value, as: slot.attribute?.type ?? .undefined, for: slot, of: runtime))
        } catch {
            throw unusable(error.message)
        }
    }

    private func destination(
        _ value: Any, _ relationship: RelationshipSlot, _ slot: PropertySlot, _ runtime: EntityRuntime,
        _ target: Target
    ) throws -> ObjectReference {
        let name = "\(runtime.name).\(slot.name)"
        guard let id = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID else {
            throw unusable(
                "\(name) is a relationship: set it to an object, an object ID or nil, not \(value).")
        }
        guard !id.isTemporaryID else {
            throw unusable("\(name) cannot be set to an object that is not saved yet: \(id).")
        }
        guard id.persistentStore === target.handle.store else {
            throw CoreDataError.error(
                NSManagedObjectExternalRelationshipError,
                reason: "\(name) cannot be set to \(id), which is in another store.")
        }
        let destination = frozen.compiled[relationship.destination]
        guard destination.includes(id.reference.entity) else {
            throw unusable(
                "\(name) leads to \(destination.name), not to \(id.entity.name ?? "").")
        }
        return id.reference
    }

    private func unusable(_ reason: String) -> NSError {
        CoreDataError.error(NSCoreDataError, reason: reason)
    }
}
