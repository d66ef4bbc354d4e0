import CoreData
import CoreDataJSON
import CoreDataModelFormat
import CoreDataTool

/// The objects that one deletion takes away, with what is needed to make them again.
struct DeletedObjects {
    private let source: RowSource
    private let names: ObjectNames
    private var found: [(name: String, values: [JSONValue.Member], links: [StoreEdit])] = []

    init(_ names: ObjectNames, _ source: RowSource) {
        (self.names, self.source) = (names, source)
    }

    /// Notes the values of an object. Of one that the delete rules have reached already, those in the store.
    mutating func note(_ object: NSManagedObject) throws {
        guard let entity = source.entity(of: object) else { return }
        let name = names.name(of: object)
        let stored =
            object.isDeleted ? object.committedValues(forKeys: entity.slots.map(\.name)) : nil
        var values: [JSONValue.Member] = []
        var links: [StoreEdit] = []
        for slot in entity.slots where !slot.isTransient && slot.attribute?.derivation == nil {
            let value = stored.map { $0[slot.name] ?? nil } ?? object.value(forKey: slot.name)
            if slot.isToMany {
                for (position, member) in Self.members(value).enumerated() {
                    links.append(
                        .link(
                            object: name, key: slot.name, member: names.name(of: member),
                            position: slot.relationship?.isOrdered == true ? position : nil))
                }
            } else if let target = value as? NSManagedObject {
                links.append(.set(object: name, key: slot.name, .string(names.name(of: target))))
            } else if slot.attribute != nil {
                values.append(.init(slot.name, CellValue.json(value)))
            }
        }
        found.append((name, values, try links + incoming(object, entity, name)))
    }

    /// Returns the edits that lead relationships without inverse to the object again. Those with an inverse
    /// come back with the object's own.
    private func incoming(
        _ object: NSManagedObject, _ entity: CompiledEntity, _ name: String
    ) throws -> [StoreEdit] {
        guard let context = object.managedObjectContext else { return [] }
        var links: [StoreEdit] = []
        for owner in source.model.compiled.entities {
            for slot in owner.slots where slot.declaringEntity == owner.index && !slot.isTransient {
                guard let relationship = slot.relationship,
                    source.model.compiled.inverse(of: relationship) == nil,
                    source.model.compiled[relationship.destination].includes(entity.index)
                else { continue }
                let request = NSFetchRequest<NSManagedObject>(entityName: owner.name)
                request.predicate = NSPredicate(
                    format: slot.isToMany ? "ANY %K == %@" : "%K == %@", slot.name, object.objectID)
                for other in try context.fetch(request) where other !== object {
                    let place = names.name(of: other)
                    guard slot.isToMany else {
                        links.append(.set(object: place, key: slot.name, .string(name)))
                        continue
                    }
                    let members = Self.members(other.value(forKey: slot.name))
                    links.append(
                        .link(
                            object: place, key: slot.name, member: name,
                            position: relationship.isOrdered ? members.firstIndex(of: object) : nil))
                }
            }
        }
        return links
    }

    private static func members(_ value: Any?) -> [NSManagedObject] {
        switch value {
        case let members as NSOrderedSet: members.array.compactMap { $0 as? NSManagedObject }
        case let members as NSSet: members.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    /// Returns the edits that make the objects again: all of them first, then their relationships.
    func restoring() -> [StoreEdit] {
        found.map { .insert(object: $0.name, values: $0.values) } + found.flatMap(\.links)
    }
}
