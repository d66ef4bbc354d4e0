import CoreDataModelFormat
import CoreDataPredicates
import CoreDataValues
import Foundation

/// An object of the destination, which is filled by the property mappings of an entity mapping.
struct MappedObject {
    private let destination: NSManagedObject
    private let source: NSManagedObject?
    private let mapping: NSEntityMapping
    private let policy: NSEntityMigrationPolicy
    private let manager: NSMigrationManager

    /// Prepares for filling a destination object.
    ///
    /// - Parameter source: The object that it is made from; nil if there is none, as for an entity that is
    ///   new.
    init(
        _ destination: NSManagedObject, from source: NSManagedObject?, _ mapping: NSEntityMapping,
        _ policy: NSEntityMigrationPolicy, _ manager: NSMigrationManager
    ) {
        self.destination = destination
        self.source = source
        self.mapping = mapping
        self.policy = policy
        self.manager = manager
    }

    // MARK: Attributes

    func setAttributes() throws {
        for property in mapping.attributeMappings ?? [] where property.valueExpression != nil {
            let slot = try slot(of: property)
            guard let attribute = slot.attribute else { throw failure(property, "is no attribute") }
            if attribute.derivation != nil { continue }
            var value = try value(of: property)
            if value == nil, !slot.isOptional {
                if description(of: slot)?.defaultValue != nil { continue }
                // Elements of the composite may have defaults.
                if attribute.type == .composite { value = [String: Any]() }
            }
            destination.setValue(try value.flatMap { try converted($0, slot, property) }, forKey: slot.name)
        }
    }

    private func converted(_ value: Any, _ slot: PropertySlot, _ property: NSPropertyMapping) throws -> Any? {
        guard let attribute = description(of: slot) else { return value }
        do throws(UnacceptableValue) {
            let former = copiedKey(of: property).flatMap { source?.entity.attributesByName[$0] }
            return try MigratedValue(attribute, at: slot.name, of: destination.entity, from: former)
                .converted(value)
        } catch {
            throw failure(property, "cannot have its value: \(error.message)")
        }
    }

    private func description(of slot: PropertySlot) -> NSAttributeDescription? {
        destination.runtime.properties[slot.index] as? NSAttributeDescription
    }

    // MARK: Relationships

    func setRelationships() throws {
        for property in mapping.relationshipMappings ?? [] where property.valueExpression != nil {
            let slot = try slot(of: property)
            guard let relationship = slot.relationship else {
                throw failure(property, "is no relationship")
            }
            var members = try objects(of: property)
            if MappingExpression.isOfAnyMapping(property.valueExpression?.node) {
                members = members.filter { belongs($0, to: relationship) }
            }
            if let stranger = members.first(where: { !belongs($0, to: relationship) }) {
                let reason = "cannot lead to \(stranger.entity.name ?? "")"
                throw failure(property, reason)
            }
            guard let first = members.first else { continue }
            destination.setValue(slot.isToMany ? members : first, forKey: slot.name)
        }
    }

    private func belongs(_ object: NSManagedObject, to relationship: RelationshipSlot) -> Bool {
        object.managedObjectContext === manager.destinationContext
            && destination.runtime.model.compiled[relationship.destination].family
                .contains(object.runtime.index)
    }

    private func objects(of property: NSPropertyMapping) throws -> [NSManagedObject] {
        let elements: [Any]
        switch try value(of: property) {
        case nil: elements = []
        case let array as NSArray: elements = array.map { $0 }
        case let set as NSOrderedSet: elements = set.array
        case let set as NSSet: elements = set.allObjects
        case let object?: elements = [object]
        }
        return try elements.filter { !($0 is NSNull) }.map { element in
            guard let object = element as? NSManagedObject else {
                throw failure(property, "is a relationship and cannot have the value \(element)")
            }
            return object
        }
    }

    // MARK: Values

    private func slot(of property: NSPropertyMapping) throws -> PropertySlot {
        guard let slot = property.name.flatMap(destination.runtime.slot(named:)) else {
            throw failure(property, "is no property of the destination")
        }
        return slot
    }

    private func value(of property: NSPropertyMapping) throws -> Any? {
        if let value = try evaluated(property) { return value }
        // Without this check, a stored value that cannot be read would be lost.
        for key in property.sourceKeys {
            guard let source, source.runtime.slot(named: key) != nil else { continue }
            if let error = source.readingError(forKey: key) {
                throw MigrationFailure.unreadable(key, of: source.entity, error)
            }
        }
        return nil
    }

    private func evaluated(_ property: NSPropertyMapping) throws -> Any? {
        // The value of an attribute with an app's own class is copied as it is.
        if let key = copiedKey(of: property) { return source?.value(forKey: key) }
        do throws(EvaluationError) {
            let variables = variables(property)
            let object = variables[NSMigrationSourceObjectKey] ?? .value(.null)
            return try property.evaluator()?.value(for: object, variables: variables).unboxed
        } catch .failedMethod(_, let error) {
            throw error
        } catch {
            throw failure(property, "has no value: \(error)")
        }
    }

    /// Returns the property of the source whose value is copied unchanged, as in most mappings.
    private func copiedKey(of property: NSPropertyMapping) -> String? {
        guard
            case .keyPath(.variable(NSMigrationSourceObjectKey), let keys)? = property.valueExpression?.node,
            keys.count == 1, source?.runtime.slot(named: keys[0]) != nil
        else { return nil }
        return keys[0]
    }

    private func variables(_ property: NSPropertyMapping) -> [String: ExpressionValue] {
        [
            NSMigrationManagerKey: .object(manager),
            NSMigrationSourceObjectKey: source.map(ExpressionValue.object) ?? .value(.null),
            NSMigrationDestinationObjectKey: .object(destination),
            NSMigrationEntityMappingKey: .object(mapping),
            NSMigrationPropertyMappingKey: .object(property),
            NSMigrationEntityPolicyKey: .object(policy),
        ]
    }

    private func failure(_ property: NSPropertyMapping, _ reason: String) -> NSError {
        MigrationFailure.error(
            "the mapping \(mapping.name ?? ""): \(property.name ?? "") \(reason)",
            entity: destination.entity.name, property: property.name)
    }
}
