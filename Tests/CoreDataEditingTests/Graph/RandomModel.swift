import CoreDataModelFormat
import CoreDataValues

extension ModelDocument {
    /// Makes a model of some entities that relate to each other and inherit at random.
    static func random(entities count: Int, seed: UInt64) -> ModelDocument {
        var random = SeededGenerator(state: seed)
        func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        var document = ModelDocument()
        for index in 0..<count {
            var entity = EntityElement(name: "Entity\(index)")
            entity.attributes = (0..<below(9)).map { AttributeElement(name: "attribute\($0)", type: .string) }
            if index > 2, below(7) == 0 { entity.parentName = "Entity\(below(index))" }
            document.entities.append(entity)
        }
        for index in 0..<(count * 6 / 5) {
            let (one, other) = (below(count), below(4) == 0 ? below(count) : (below(count) + index) % count)
            document.relate(
                one, "to\(index)", isToMany: below(2) == 0, other, "of\(index)", isToMany: below(2) == 0)
        }
        return document
    }

    /// Adds two relationships that are inverse to each other.
    mutating func relate(
        _ one: Int, _ name: String, isToMany: Bool, _ other: Int, _ inverse: String, isToMany isFromMany: Bool
    ) {
        let (source, target) = (entities[one].name, entities[other].name)
        entities[one].relationships.append(
            RelationshipElement(
                name: name, destinationName: target, inverseName: inverse, inverseEntityName: target,
                isOptional: isToMany, maximumCount: isToMany ? 0 : 1))
        entities[other].relationships.append(
            RelationshipElement(
                name: inverse, destinationName: source, inverseName: name, inverseEntityName: source,
                isOptional: true, maximumCount: isFromMany ? 0 : 1))
    }

    static func named(_ names: String...) -> ModelDocument {
        ModelDocument(entities: names.map { EntityElement(name: $0) })
    }

    mutating func place(_ name: String, _ x: Int, _ y: Int) {
        layout.append(
            DiagramElement(attributes: [
                "name": name, "positionX": "\(x)", "positionY": "\(y)", "width": "128", "height": "60",
            ]))
    }
}
