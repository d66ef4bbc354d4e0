/// The choice of inverses where the source names none.
///
/// Two relationships without `@Relationship` that lead to each other's entity are inverses if neither entity
/// has another one that could be meant. A relationship with `@Relationship` that names no inverse finds one
/// only among those without.
struct InverseInference {
    private let entities: [String: Schema.Entity]

    init(_ schema: Schema) {
        entities = schema.entitiesByName
    }

    /// Gives both sides of every pair the name of the other one.
    func connect() {
        for entity in entities.values.sorted(by: { $0.name < $1.name }) {
            for relationship in entity.orderedRelationships {
                guard let name = relationship.inverseName,
                    let inverse = other(of: relationship)?.relationshipsByName[name],
                    inverse.inverseName == nil
                else { continue }
                inverse.inverseName = relationship.name
            }
        }
        let open = entities.values.flatMap { entity in
            entity.orderedRelationships.filter { $0.inverseName == nil }.map { (entity, $0) }
        }
        let pairs = open.compactMap { entity, relationship -> (Schema.Relationship, Schema.Relationship)? in
            guard let partner = partner(of: relationship, in: entity),
                let owner = other(of: relationship),
                self.partner(of: partner, in: owner) === relationship
            else { return nil }
            return (relationship, partner)
        }
        for (relationship, partner) in pairs { relationship.inverseName = partner.name }
    }

    private func other(of relationship: Schema.Relationship) -> Schema.Entity? {
        entities[relationship.destination]
    }

    /// Returns the only relationship of the other side that could be meant.
    private func partner(of relationship: Schema.Relationship, in entity: Schema.Entity) -> Schema
        .Relationship?
    {
        let candidates = other(of: relationship)?.orderedRelationships.filter { candidate in
            candidate !== relationship && candidate.destination == entity.name
                && candidate.inverseName == nil && !(candidate.isAnnotated && relationship.isAnnotated)
        }
        return candidates?.count == 1 ? candidates?[0] : nil
    }
}
