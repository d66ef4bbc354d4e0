import CoreData
import Foundation

/// What a store holds, as values: for each object, by its name, the entity and what each property has.
struct ObjectGraph: Equatable {
    enum Value: Equatable {
        case attribute(NSObject?)
        case members(Set<String>)
        case ordered([String])
    }

    struct Node: Equatable {
        var entity: String
        var values: [String: Value]
    }

    var nodes: [String: Node] = [:]

    init() {}

    init(of context: NSManagedObjectContext) throws {
        for entity in context.persistentStoreCoordinator!.managedObjectModel.entities where !entity.isAbstract
        {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
            request.includesSubentities = false
            for object in try context.fetch(request) {
                let values = entity.propertiesByName.keys.map { ($0, Self.value(of: $0, object)) }
                nodes[object.value(forKey: "name") as! String] = Node(
                    entity: entity.name!, values: Dictionary(uniqueKeysWithValues: values))
            }
        }
    }

    private static func value(of key: String, _ object: NSManagedObject) -> Value {
        guard let relationship = object.entity.relationshipsByName[key] else {
            return .attribute(object.value(forKey: key) as? NSObject)
        }
        func name(_ object: Any) -> String {
            (object as! NSManagedObject).value(forKey: "name") as? String ?? "nothing"
        }
        if relationship.isOrdered {
            return .ordered((object.value(forKey: key) as! NSOrderedSet).array.map(name))
        }
        if relationship.isToMany { return .members(Set((object.value(forKey: key) as! NSSet).map(name))) }
        return .members(Set([object.value(forKey: key)].compactMap { $0 }.map(name)))
    }

    /// What the graph has to be after a lightweight migration, worked out from names and renaming identifiers alone.
    func migrated(to model: NSManagedObjectModel) -> ObjectGraph {
        var result = ObjectGraph()
        var successors: [String: NSEntityDescription] = [:]
        for entity in model.entities { successors[entity.renamingIdentifier ?? entity.name!] = entity }
        for (name, node) in nodes {
            guard let entity = successors[node.entity] else { continue }
            var values: [String: Value] = [:]
            for (key, attribute) in entity.attributesByName {
                values[key] = Self.attribute(attribute, node.values[attribute.renamingIdentifier ?? key])
            }
            result.nodes[name] = Node(entity: entity.name!, values: values)
        }
        for name in result.nodes.keys {
            for (key, relationship) in model.entitiesByName[result.nodes[name]!.entity]!.relationshipsByName {
                let former = nodes[name]!.values[relationship.renamingIdentifier ?? key]
                result.nodes[name]!.values[key] = result.members(relationship, former)
            }
        }
        return result
    }

    private static func attribute(_ attribute: NSAttributeDescription, _ former: Value?) -> Value {
        guard case .attribute(let value)? = former else {
            return .attribute(attribute.defaultValue as? NSObject)
        }
        if value == nil, !attribute.isOptional { return .attribute(attribute.defaultValue as? NSObject) }
        return .attribute(value)
    }

    private func members(_ relationship: NSRelationshipDescription, _ former: Value?) -> Value {
        func remaining(_ names: some Sequence<String>) -> [String] { names.filter { nodes[$0] != nil } }
        return switch former {
        case .ordered(let names):
            relationship.isOrdered ? .ordered(remaining(names)) : .members(Set(remaining(names)))
        case .members(let names): .members(Set(remaining(names)))
        case .attribute, nil: relationship.isOrdered ? .ordered([]) : .members([])
        }
    }

    /// What is different in another graph. An order where this one has none is no difference.
    func differences(from other: ObjectGraph) -> [String] {
        var result: [String] = []
        for name in Set(nodes.keys).union(other.nodes.keys).sorted() {
            guard let expected = nodes[name], let found = other.nodes[name] else {
                result.append("\(name): \(nodes[name] == nil ? "is there" : "is missing")")
                continue
            }
            if expected.entity != found.entity {
                result.append("\(name): \(expected.entity), \(found.entity)")
            }
            for key in Set(expected.values.keys).union(found.values.keys).sorted() {
                let (left, right) = (expected.values[key], found.values[key])
                if !Self.agree(left, right) {
                    result.append("\(expected.entity) \(name).\(key): \(left as Any) became \(right as Any)")
                }
            }
        }
        return result
    }

    private static func agree(_ expected: Value?, _ found: Value?) -> Bool {
        switch (expected, found) {
        case (.members(let names)?, .ordered(let order)?): order.count == names.count && Set(order) == names
        case (.attribute(let left as NSNumber)?, .attribute(let right as NSNumber)?):
            left.doubleValue == right.doubleValue
        default: expected == found
        }
    }
}
