// Relationships of every kind, which change their kind.
extension RandomEvolution {
    mutating func addRelationship() {
        let names = sketch.entities.map(\.name)
        let (owner, destination) = (random.pick(names), random.pick(names))
        let arrows = ["->", "->>", "->>", "->>>"]
        var first = ModelSketch.Property(newName("r"), type: "")
        (first.arrow, first.destination) = (random.pick(arrows), destination)
        let ownerIndex = names.firstIndex(of: owner)!
        if random.chance(20) {
            // Changes a relationship without an inverse.
        } else if owner == destination, random.chance(30) {
            if first.arrow == "->>>" { first.arrow = "->>" }
            first.inverse = first.name
        } else {
            var second = ModelSketch.Property(newName("r"), type: "")
            (second.arrow, second.destination, second.inverse) = (random.pick(arrows), owner, first.name)
            first.inverse = second.name
            sketch.entities[names.firstIndex(of: destination)!].properties.append(second)
        }
        sketch.entities[ownerIndex].properties.append(first)
    }

    mutating func removeRelationship() {
        let places = places { $0.arrow != nil }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        remove(sketch.entities[entity].properties[index], of: sketch.entities[entity].name)
    }

    /// Only with an inverse: without one, no two to-many relationships share a member.
    mutating func widenRelationship() {
        let places = places { $0.arrow == "->" && $0.inverse != nil && $0.inverse != $0.name }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        sketch.entities[entity].properties[index].arrow = random.chance(50) ? "->>" : "->>>"
    }

    /// Adds an inverse to a relationship. For a to-one it is a to-many, since several objects may share a
    /// destination.
    mutating func giveInverse() {
        let places = places { $0.arrow != nil && $0.inverse == nil }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let property = sketch.entities[entity].properties[index]
        var inverse = ModelSketch.Property(newName("r"), type: "")
        let arrows = property.arrow == "->" ? ["->>", "->>>"] : ["->", "->>", "->>>"]
        (inverse.arrow, inverse.destination) = (random.pick(arrows), sketch.entities[entity].name)
        inverse.inverse = property.name
        sketch.entities[entity].properties[index].inverse = inverse.name
        let destination = sketch.entities.firstIndex { $0.name == property.destination }!
        sketch.entities[destination].properties.append(inverse)
    }

    /// Removes the inverse of a relationship. A to-many keeps its members if each has one owner.
    mutating func loseInverse() {
        let places = places { $0.inverse != nil && $0.inverse != $0.name }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let property = sketch.entities[entity].properties[index]
        guard let place = place(of: property.inverse!, in: property.destination),
            property.arrow == "->" || sketch.entities[place.0].properties[place.1].arrow == "->"
        else { return }
        sketch.entities[entity].properties[index].inverse = nil
        sketch.entities[place.0].properties.remove(at: place.1)
    }

    mutating func changeOrder() {
        let places = places { $0.arrow != nil && $0.arrow != "->" && $0.inverse != $0.name }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let isOrdered = sketch.entities[entity].properties[index].arrow == "->>>"
        sketch.entities[entity].properties[index].arrow = isOrdered ? "->>" : "->>>"
    }
}
