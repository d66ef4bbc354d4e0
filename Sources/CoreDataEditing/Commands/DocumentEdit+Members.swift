import CoreDataJSON
import CoreDataModelFormat

extension DocumentEdit {
    /// Adds and removes members of a list or an object.
    mutating func setMembers(
        of address: ElementAddress, _ facet: String, adding added: [JSONValue], removing removed: [JSONValue]
    ) throws(Refusal.Reason) {
        try change(at: version.place(of: address)) { (element) throws(Refusal.Reason) in
            guard let present = element.value(of: facet) else { throw .unknownFacet(facet, element.kind) }
            switch present {
            case .array(var members):
                for member in removed {
                    guard let index = members.firstIndex(of: member) else {
                        throw .unknownMember(facet: facet, member)
                    }
                    members.remove(at: index)
                }
                for member in added where !members.contains(member) { members.append(member) }
                try element.set(facet, to: .array(members))
            case .object(var members):
                for key in removed {
                    guard let index = members.firstIndex(where: { .string($0.key) == key }) else {
                        throw .unknownMember(facet: facet, key)
                    }
                    members.remove(at: index)
                }
                for entry in added {
                    guard case .object(let entries) = entry else {
                        throw .unfit(facet: facet, expected: FacetType.entries.expected)
                    }
                    for entry in entries { members.put(entry) }
                }
                try element.set(facet, to: .object(members))
            default: throw .noMembers(facet: facet)
            }
        }
    }

    // MARK: Diagram

    /// The size of a new box, as the editor draws it: a head, and a line for each property.
    private static let (width, headHeight, lineHeight) = (128, 45, 15)

    mutating func place(_ positions: [EntityPosition]) throws(Refusal.Reason) {
        for position in positions {
            let place = try place(of: position.entity, .entity)
            let entity = document.entities[place.index]
            touch(place)
            if version.positions != nil, document.layout.isEmpty {
                let id = version.id(at: place)
                version.positions?[id] = GraphPoint(x: Double(position.x), y: Double(position.y))
                continue
            }
            let coordinates = ["positionX": String(position.x), "positionY": String(position.y)]
            if let index = document.layout.firstIndex(where: { $0.attributes["name"] == entity.name }) {
                version.document.layout[index].attributes.merge(coordinates) { _, new in new }
                continue
            }
            let count =
                entity.attributes.count + entity.relationships.count + entity.fetchedProperties.count
            let size = [
                "name": entity.name, "width": String(Self.width),
                "height": String(Self.headHeight + Self.lineHeight * count),
            ]
            let order = document.entities.map(\.name)
            let next = document.layout.firstIndex { box in
                (order.firstIndex { $0 == box.attributes["name"] } ?? order.count) > place.index
            }
            version.document.layout.insert(
                DiagramElement(attributes: size.merging(coordinates) { _, new in new }),
                at: next ?? document.layout.count)
        }
    }
}

extension [JSONValue.Member] {
    /// Puts a member in the place of the one with the same key, or behind the others.
    fileprivate mutating func put(_ member: JSONValue.Member) {
        if let index = firstIndex(where: { $0.key == member.key }) {
            self[index] = member
        } else {
            append(member)
        }
    }
}
