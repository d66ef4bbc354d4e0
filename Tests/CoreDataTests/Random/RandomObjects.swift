import CoreData
import Foundation

/// A store of a random model with random objects.
struct RandomObjects {
    let model: RandomModel
    let stack: TestStack
    /// The context in which edits are made.
    private(set) var context: NSManagedObjectContext
    private(set) var all: [NSManagedObject] = []
    private var nextID = 0

    init(
        _ random: inout SeededGenerator, type: NSPersistentStore.StoreType = .tested,
        options: [String: NSObject] = [:]
    ) throws {
        model = RandomModel(&random)
        stack = try TestStack(model.model, type: type, options: options)
        context = stack.context
        for entity in model.entities where !entity.isAbstract {
            for _ in 0..<random.number(4...10) { insert(entity, &random) }
        }
        for object in all { relate(object, among: all, &random) }
        try stack.context.save()
    }

    /// Continues with the objects of another context, or reads this one's again.
    mutating func `continue`(in context: NSManagedObjectContext) throws {
        self.context = context
        all = try Self.everything(in: context)
    }

    /// Inserts a new object with attributes and without relationships.
    @discardableResult
    mutating func insert(_ entity: NSEntityDescription, _ random: inout SeededGenerator) -> NSManagedObject {
        let object = context.insert(entity.name ?? "", ["id": nextID])
        nextID += 1
        change(object, &random)
        all.append(object)
        return object
    }

    /// Deletes an object, and forgets those that the delete rules delete.
    mutating func delete(_ object: NSManagedObject) {
        context.delete(object)
        context.processPendingChanges()
        // An object that was never saved is not deleted but detached.
        all.removeAll { $0 === object || $0.isDeleted || $0.managedObjectContext == nil }
    }

    /// Changes an object's attributes, some of them to nil.
    func change(_ object: NSManagedObject, _ random: inout SeededGenerator) {
        for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
        where name != "id" {
            guard let kind = RandomValues.kind(attribute) else { continue }
            let isNil = attribute.isOptional && random.chance(20)
            object.setValue(isNil ? nil : RandomValues.value(kind, &random), forKey: name)
        }
    }

    /// Sets other objects for some of an object's relationships.
    func relate(_ object: NSManagedObject, among objects: [NSManagedObject], _ random: inout SeededGenerator)
    {
        for relationship in model.forward where object.entity.isKindOf(entity: relationship.entity) {
            guard random.chance(75), let destination = relationship.destinationEntity else { continue }
            let candidates = objects.filter { $0.entity.isKindOf(entity: destination) }
            if !relationship.isToMany {
                object.setValue(
                    random.chance(80) ? candidates.randomElement(using: &random) : nil,
                    forKey: relationship.name)
                continue
            }
            let members = Array(candidates.shuffled(using: &random).prefix(random.number(0...3)))
            object.setValue(
                relationship.isOrdered ? NSOrderedSet(array: members) as NSObject : NSSet(array: members),
                forKey: relationship.name)
        }
    }

    /// Returns all objects of a store, with one fetch for each entity.
    static func everything(_ stack: TestStack) throws -> [NSManagedObject] {
        try stack.coordinator.managedObjectModel.entities.filter { $0.superentity == nil }.flatMap {
            try stack.fetch($0.name ?? "")
        }
    }

    /// One line for each object, in the order of their IDs.
    var text: String { Self.text(all) }

    static func text(_ objects: [NSManagedObject]) -> String {
        objects.sorted { id($0) < id($1) }.map(text).joined(separator: "\n")
    }

    private static func text(_ object: NSManagedObject) -> String {
        let values = object.entity.attributesByName.keys.sorted().map { name in
            let value = object.value(forKey: name)
            let text = (value as? Data)?.base64EncodedString() ?? value.map { "\($0)" } ?? "nil"
            return "\(name) = \(text)"
        }
        let others = object.entity.relationshipsByName.sorted { $0.key < $1.key }.map { name, property in
            let ids = members(object, name).map(id)
            return "\(name) = \(property.isOrdered ? ids : ids.sorted())"
        }
        return "\(object.entity.name ?? "")(\((values + others).joined(separator: ", ")))"
    }

    /// Returns the objects of a relationship of any kind.
    static func members(_ object: NSManagedObject, _ name: String) -> [NSManagedObject] {
        let value = object.value(forKey: name)
        let all = (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? value.map { [$0] } ?? []
        return all.compactMap { $0 as? NSManagedObject }
    }

    static func id(_ object: NSManagedObject) -> Int { object.value(forKey: "id") as? Int ?? -1 }
}
