import CoreDataJSON
import CoreDataModelFormat

extension DocumentEdit {
    /// Adds a pair of relationships; a single one where both ends are the same relationship.
    mutating func connect(_ one: RelationshipEnd, _ other: RelationshipEnd) throws(Refusal.Reason) {
        let ends = [try place(of: one.entity, .entity), try place(of: other.entity, .entity)]
        let entities = ends.map { document[$0].name }
        let names = [
            name(of: one, to: entities[1], in: ends[0], besides: nil),
            name(of: other, to: entities[0], in: ends[1], besides: ends[0] == ends[1] ? one.name : nil),
        ]
        for (index, end) in [one, other].enumerated() {
            if index == 1, ends[0] == ends[1], names[0] == names[1] { break }
            let facets =
                end.facets + [
                    .init("destination", .string(entities[1 - index])),
                    .init("inverse", .string(names[1 - index])),
                ]
            try add(
                ElementDraft(.relationship, facets), named: names[index], to: ends[index], document.defaults)
        }
    }

    /// Returns the name of a new relationship, made from that of the destination if the command has none.
    private func name(
        of end: RelationshipEnd, to destination: String, in owner: ElementPlace, besides other: String?
    ) -> String {
        if let name = end.name { return name }
        let isToMany = end.facets.contains { $0.key == "toMany" && $0.value == .boolean(true) }
        let name = destination.prefix(1).lowercased() + destination.dropFirst() + (isToMany ? "s" : "")
        return name.free(among: takenNames(.relationship, in: owner) + [other].compactMap { $0 })
    }

    mutating func setInverse(
        of address: ElementAddress, to inverse: ElementAddress?
    ) throws(Refusal.Reason) {
        let one = try place(of: address, .relationship)
        guard let inverse else {
            try detach(one)
            return
        }
        let other = try place(of: inverse, .relationship)
        try detach(one)
        if one != other { try detach(other) }
        try attach(one, to: other)
        if one != other { try attach(other, to: one) }
    }

    /// Sets the inverse of one end. Its destination stays if it has the inverse, or inherits it.
    private mutating func attach(_ place: ElementPlace, to inverse: ElementPlace) throws(Refusal.Reason) {
        let (name, entity) = (document[inverse].name, document[inverse.owner].name)
        let resolver = KeyResolver(document)
        try changeRelationship(at: place) { relationship in
            let found = resolver.resolve(name, of: .entity(relationship.destinationName))?.meaning
            if found != KeyMeaning(owner: .entity(entity), name: name) {
                relationship.destinationName = entity
            }
            relationship.setInverse(name)
        }
    }

    /// Takes the inverse away at both ends.
    private mutating func detach(_ place: ElementPlace) throws(Refusal.Reason) {
        guard case .relationship(let relationship) = document[place], let name = relationship.inverseName
        else {
            return
        }
        let resolver = KeyResolver(document)
        let inverse = resolver.resolve(name, of: .entity(relationship.destinationName))?.meaning
        try changeRelationship(at: place) { $0.setInverse(nil) }
        guard let inverse, case .entity(let entity) = inverse.owner,
            let owner = document.place(of: .entity, named: entity, in: .model),
            let partner = document.place(of: .relationship, named: name, in: owner),
            case .relationship(let other) = document[partner], let back = other.inverseName,
            resolver.resolve(back, of: .entity(other.destinationName))?.meaning
                == KeyMeaning(owner: .entity(document[place.owner].name), name: relationship.name)
        else { return }
        try changeRelationship(at: partner) { $0.setInverse(nil) }
    }

    private mutating func changeRelationship(
        at place: ElementPlace, _ change: (inout RelationshipElement) -> Void
    ) throws(Refusal.Reason) {
        try self.change(at: place) { (element) throws(Refusal.Reason) in
            guard case .relationship(var relationship) = element else { return }
            change(&relationship)
            element = .relationship(relationship)
        }
    }
}
