import CoreData
import Foundation

/// Entities with inheritance, attributes of all types and relationships of all kinds, at random.
///
/// Every entity has `id`, mandatory and unique among all objects, by which results are compared.
struct RandomModel {
    let model = NSManagedObjectModel()
    private(set) var entities: [NSEntityDescription] = []
    /// One of each pair of inverses, since filling one fills the other.
    private(set) var forward: [NSRelationshipDescription] = []
    private var names = 0

    init(_ random: inout SeededGenerator) {
        let count = random.number(1...4)
        for index in 0..<count {
            let entity = ModelFixtures.entity("E\(index)", attributes(&random))
            if index > 0, random.chance(50) {
                random.pick(entities).subentities.append(entity)
            }
            if entity.superentity == nil {
                entity.properties.append(
                    ModelFixtures.attribute("id", .integer32AttributeType, default: 0, isOptional: false))
            }
            entities.append(entity)
        }
        for entity in entities where !entity.subentities.isEmpty { entity.isAbstract = random.chance(40) }
        for _ in 0..<(count + 2) { addRelationship(&random) }
        model.entities = entities
    }

    private mutating func name(_ kind: String) -> String {
        names += 1
        return "\(kind)\(names)"
    }

    private mutating func attributes(_ random: inout SeededGenerator) -> [NSPropertyDescription] {
        // One text and one number each, so that every kind of predicate applies.
        let kinds =
            [.text, random.pick(RandomValues.numbers)]
            + (0..<random.number(1...5)).map { _ in
                random.pick(RandomValues.Kind.allCases)
            }
        return kinds.map { kind in
            let isOptional = random.chance(70) || kind == .tags
            return ModelFixtures.attribute(
                name(kind.rawValue), kind.type,
                default: isOptional ? nil : RandomValues.value(kind, &random), isOptional: isOptional)
        }
    }

    private mutating func addRelationship(_ random: inout SeededGenerator) {
        let source = random.pick(entities)
        let destination = random.pick(entities)
        let arities: [ModelFixtures.Arity] = [.one, .many, .many, .ordered]
        let there = ModelFixtures.relationship(name("to"), random.pick(arities), to: destination)
        if random.chance(10), source === destination, there.isToMany, !there.isOrdered {
            // Friendship: its own inverse.
            ModelFixtures.link(source, there, there)
        } else {
            let back = ModelFixtures.relationship(name("from"), random.pick(arities), to: source)
            // The inverse of an ordered many-to-many side is unordered.
            if there.isToMany, back.isToMany { back.isOrdered = false }
            if random.chance(15) { there.deleteRule = .cascadeDeleteRule }
            ModelFixtures.link(source, there, back)
        }
        forward.append(there)
    }

    /// One line for each property, for a failure's message.
    var text: String {
        entities.map { entity in
            let properties = entity.properties.map { property -> String in
                guard let relationship = property as? NSRelationshipDescription else {
                    return "\(property.name)\(property.isOptional ? "?" : "")"
                }
                let arrow = relationship.isToMany ? relationship.isOrdered ? "=>" : "->>" : "->"
                return "\(relationship.name) \(arrow) \(relationship.destinationEntity?.name ?? "")"
                    + " (\(relationship.inverseRelationship?.name ?? "no inverse"))"
            }
            let parent = entity.superentity?.name.map { ": \($0)" } ?? ""
            return "\(entity.isAbstract ? "abstract " : "")\(entity.name ?? "")\(parent) {"
                + properties.joined(separator: ", ") + "}"
        }.joined(separator: "\n")
    }
}
