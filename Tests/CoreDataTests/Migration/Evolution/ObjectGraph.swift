import CoreData
import Foundation

/// The content of a store as values: for each object, by its name, the entity and the values of its
/// properties.
struct ObjectGraph: Equatable {
    enum Value: Equatable {
        case attribute(NSObject?)
        case members(Set<String>)
        case ordered([String])
        /// A time of saving, equal to every other.
        case moment

        func contains(_ name: String) -> Bool {
            switch self {
            case .members(let names): names.contains(name)
            case .ordered(let names): names.contains(name)
            case .attribute, .moment: false
            }
        }
    }

    struct Node: Equatable {
        var entity: String
        var values: [String: Value]
    }

    var nodes: [String: Node] = [:]

    init() {}

    /// - Parameter entities: The entities that the store has.
    init(of context: NSManagedObjectContext, _ entities: [NSEntityDescription]) throws {
        for entity in entities where !entity.isAbstract {
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

    /// Returns the differences from another graph. An order is compared only if both have one.
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
                    result.append(
                        "\(expected.entity) \(name).\(key): \(left as Any) expected, \(right as Any) found")
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
        case (.moment?, .attribute(is NSDate)?): true
        default: expected == found
        }
    }
}
