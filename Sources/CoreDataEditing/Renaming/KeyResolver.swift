import CoreDataModelFormat
import CoreDataValues

/// Something that has properties, where a key path can start or go on.
enum KeyOwner: Hashable {
    case entity(String)
    case composite(String)
}

/// The declaration that a key means.
struct KeyMeaning: Hashable {
    /// The entity or composite that declares the property, which may be an ancestor of the one that was
    /// asked.
    let owner: KeyOwner
    let name: String
}

/// The meanings of keys in a document.
struct KeyResolver {
    private let inheritance: EntityInheritance
    private let composites: [String: CompositeElement]

    init(_ document: ModelDocument) {
        inheritance = EntityInheritance(document)
        composites = Dictionary(document.composites.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Returns what a key means, and where a path goes on behind it; nil if there is no such property.
    func resolve(_ key: String, of owner: KeyOwner) -> (meaning: KeyMeaning, next: KeyOwner?)? {
        switch owner {
        case .composite(let name):
            guard let element = composites[name]?.attributes.first(where: { $0.name == key }) else {
                return nil
            }
            return (KeyMeaning(owner: owner, name: key), Self.next(behind: element))
        case .entity(let name):
            guard let entity = inheritance.entity(named: name) else { return nil }
            for level in inheritance.lineage(of: entity) {
                let meaning = KeyMeaning(owner: .entity(level.name), name: key)
                if let attribute = level.attributes.first(where: { $0.name == key }) {
                    return (meaning, Self.next(behind: attribute))
                }
                if let relationship = level.relationships.first(where: { $0.name == key }) {
                    return (meaning, .entity(relationship.destinationName))
                }
                if let property = level.fetchedProperties.first(where: { $0.name == key }) {
                    return (meaning, property.fetchRequest.map { .entity($0.entityName) })
                }
            }
            return nil
        }
    }

    private static func next(behind attribute: AttributeElement) -> KeyOwner? {
        attribute.type == .composite ? attribute.compositeName.map { .composite($0) } : nil
    }

    /// Returns where a path leads. Collection operators and `self` do not move on.
    ///
    /// - Parameter visit: Called with the position and the meaning of each key.
    func walk(_ keys: [String], from start: KeyOwner?, _ visit: (Int, KeyMeaning) -> Void = { _, _ in })
        -> KeyOwner?
    {
        var owner = start
        for (position, key) in keys.enumerated() where !key.hasPrefix("@") && key.lowercased() != "self" {
            guard let current = owner, let (meaning, next) = resolve(key, of: current) else { return nil }
            visit(position, meaning)
            owner = next
        }
        return owner
    }
}
