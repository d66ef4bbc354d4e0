internal import CoreData
internal import CoreDataSyncCore

/// An entity's properties with the registers that they are.
struct EntityBinding: Sendable {
    enum Place: Sendable {
        case attribute(AttributeBinding)
        /// Attributes that are merged as one.
        case group([AttributeBinding])
        case reference(String, hasInverse: Bool)
    }

    struct Register: Sendable {
        var name: String
        var place: Place

        var parts: Capture.Parts {
            if case .reference = place { .references } else { .attributes }
        }
    }

    struct List: Sendable {
        /// The stable name.
        var relationship: String
        var property: String
    }

    struct Pairs: Sendable {
        var side: PairSide
        /// The stable name.
        var relationship: String
        var property: String
        var isOrdered: Bool
        var isToMany: Bool
    }

    let stableName: String
    let name: String
    let isAbstract: Bool
    /// The stable name of the entity at the top of its hierarchy.
    let rootName: String
    let registers: [Register]
    /// Ordered relationships.
    let lists: [List]
    /// Many-to-many relationships.
    let pairs: [Pairs]
    /// All relationships, also those that have no register on this side.
    let relationships: [Relationship]

    /// The parts that objects of the entity have.
    var parts: Capture.Parts {
        let members: Capture.Parts = lists.isEmpty && pairs.isEmpty ? [] : .members
        return registers.reduce(members) { $0.union($1.parts) }
    }

    /// Returns the relationships that are read with each object.
    func prefetched(_ parts: Capture.Parts) -> [String] {
        let unchecked = registers.compactMap { register in
            if case .reference(let property, false) = register.place { property } else { nil }
        }
        let members = lists.map(\.property) + pairs.filter { !$0.isOrdered }.map(\.property)
        return (parts.contains(.members) ? members : []) + (parts.contains(.references) ? unchecked : [])
    }

    struct Relationship: Sendable {
        var property: String
        var isToMany: Bool
        var isOrdered: Bool
        /// Whether the relationship at the other end is ordered.
        var hasOrderedInverse: Bool
    }

    init?(_ description: NSEntityDescription, _ schema: SyncSchema) {
        stableName = SyncModelReader.stableName(description)
        guard let entity = schema.entities[stableName] else { return nil }
        name = description.name ?? ""
        isAbstract = description.isAbstract
        var root = description
        while let parent = root.superentity { root = parent }
        rootName = SyncModelReader.stableName(root)
        let properties = description.properties.filter(SyncModelReader.isSynced)
        let byStableName = Dictionary(properties.map { (SyncModelReader.stableName($0), $0) }) { $1 }
        func attribute(_ element: String) -> AttributeBinding? {
            (byStableName[element] as? NSAttributeDescription).map { AttributeBinding($0) }
        }
        registers = entity.values.compactMap { value in
            switch value.rule {
            case .attribute:
                attribute(value.name).map { Register(name: value.name, place: .attribute($0)) }
            case .group(let elements):
                Register(
                    name: value.name, place: .group(elements.keys.sorted().compactMap(attribute)))
            case .reference:
                (byStableName[value.name] as? NSRelationshipDescription).map {
                    let hasInverse = $0.inverseRelationship != nil
                    return Register(name: value.name, place: .reference($0.name, hasInverse: hasInverse))
                }
            case .position: nil
            }
        }
        let pairs = schema.pairs.sorted { $0.key < $1.key }.flatMap { name, rule -> [Pairs] in
            [(rule.first, true), (rule.second, false)].compactMap { side, isFirst in
                // Of a relationship that is its own inverse each object is first in a pair.
                guard isFirst || !rule.isMirrored, entity.ancestors.contains(side.entity),
                    let relationship = side.relationship,
                    let property = byStableName[relationship] as? NSRelationshipDescription
                else { return nil }
                return Pairs(
                    side: PairSide(name: name, isFirst: isFirst), relationship: relationship,
                    property: property.name, isOrdered: property.isOrdered, isToMany: property.isToMany)
            }
        }
        let owned = entity.collections.filter { $0.value.isOrdered }.keys.sorted().compactMap { name in
            byStableName[name].map { List(relationship: name, property: $0.name) }
        }
        let shared = pairs.filter(\.isOrdered).map {
            List(relationship: $0.relationship, property: $0.property)
        }
        lists = owned + shared
        self.pairs = pairs
        relationships = properties.compactMap { $0 as? NSRelationshipDescription }.map {
            Relationship(
                property: $0.name, isToMany: $0.isToMany, isOrdered: $0.isOrdered,
                hasOrderedInverse: $0.inverseRelationship?.isOrdered ?? false)
        }
    }
}
