// Entities are added and removed, and move in the hierarchy.
extension RandomEvolution {
    mutating func addEntity() {
        var entity = ModelSketch.Entity(name: newName("E"))
        let parents = sketch.entities.map(\.name)
        if !parents.isEmpty, random.chance(40) {
            entity.parent = random.pick(parents)
        } else {
            entity.properties = [
                ModelSketch.Property("name", type: "string", isOptional: false, value: "\"\"")
            ]
        }
        sketch.entities.append(entity)
        if random.chance(50) { addAttribute(to: sketch.entities.count - 1) }
    }

    func hasChildren(_ name: String) -> Bool { sketch.entities.contains { $0.parent == name } }

    mutating func removeEntity() {
        let leaves = sketch.entities.filter { !hasChildren($0.name) }
        guard sketch.entities.count > 2, let leaf = leaves.isEmpty ? nil : random.pick(leaves) else { return }
        for property in leaf.properties where property.arrow != nil { remove(property, of: leaf.name) }
        for entity in sketch.entities {
            for property in entity.properties where property.destination == leaf.name {
                remove(property, of: entity.name)
            }
        }
        sketch.entities.removeAll { $0.name == leaf.name }
    }

    mutating func renameEntity() {
        let index = random.number(0...sketch.entities.count - 1)
        let old = sketch.entities[index].name
        guard sketch.entities[index].formerName == nil else { return }
        let new = newName("E")
        sketch.entities[index].formerName = old
        sketch.entities[index].name = new
        let members = sketch.configurations[Self.configuration]
        sketch.configurations[Self.configuration] = members?.map { $0 == old ? new : $0 }
        for entity in sketch.entities.indices {
            if sketch.entities[entity].parent == old { sketch.entities[entity].parent = new }
            for property in sketch.entities[entity].properties.indices
            where sketch.entities[entity].properties[property].destination == old {
                sketch.entities[entity].properties[property].destination = new
            }
        }
    }

    /// Makes two hierarchies one.
    mutating func addParent() {
        let roots = sketch.entities.indices.filter { sketch.entities[$0].parent == nil }
        guard roots.count > 1 else { return }
        let first = random.pick(roots)
        let second = random.pick(roots.filter { $0 != first })
        var parent = ModelSketch.Entity(name: newName("P"))
        parent.isAbstract = random.chance(70)
        parent.properties = [ModelSketch.Property("name", type: "string", isOptional: false, value: "\"\"")]
        for index in [first, second] {
            sketch.entities[index].parent = parent.name
            sketch.entities[index].properties.removeAll { $0.name == "name" }
        }
        sketch.entities.append(parent)
    }

    /// Makes a child whose attributes are all its own a separate hierarchy.
    mutating func leaveParent() {
        let children = sketch.entities.indices.filter { sketch.entities[$0].parent != nil }
        guard !children.isEmpty else { return }
        let index = random.pick(children)
        // Relationships to an ancestor, or inherited ones, would lead to two hierarchies.
        var ancestor = sketch.entities[index].parent
        while let name = ancestor {
            let entity = sketch.entities.first { $0.name == name }!
            if entity.properties.contains(where: { $0.arrow != nil }) { return }
            if sketch.entities.contains(where: { $0.properties.contains { $0.destination == name } }) {
                return
            }
            ancestor = entity.parent
        }
        sketch.entities[index].parent = nil
        sketch.entities[index].properties.append(
            ModelSketch.Property("name", type: "string", isOptional: false, value: "\"\""))
    }

    /// Makes a hierarchy part of another one, with all of its entities.
    mutating func joinParent() {
        let roots = sketch.entities.indices.filter { sketch.entities[$0].parent == nil }
        guard roots.count > 1 else { return }
        let index = random.pick(roots)
        let name = sketch.entities[index].name
        let others = sketch.entities.map(\.name).filter { root(of: $0) != name }
        sketch.entities[index].parent = random.pick(others)
        sketch.entities[index].properties.removeAll { $0.name == "name" }
    }

    /// Removes an entity with its objects; its subentities become children of its parent, and one of them
    /// gets its properties.
    mutating func removeParent() {
        let parents = sketch.entities.filter { entity in
            hasChildren(entity.name) && entity.formerName == nil
                && !entity.properties.contains { $0.arrow != nil }
                && !sketch.entities.contains { $0.properties.contains { $0.destination == entity.name } }
        }
        guard sketch.entities.count > 2, let parent = parents.randomElement(using: &random) else { return }
        var heirs = 0
        for index in sketch.entities.indices where sketch.entities[index].parent == parent.name {
            sketch.entities[index].parent = parent.parent
            let inherited = parent.properties.filter { $0.name == "name" || heirs == 0 }
            sketch.entities[index].properties.insert(contentsOf: inherited, at: 0)
            heirs += 1
        }
        sketch.entities.removeAll { $0.name == parent.name }
    }

    private func root(of name: String) -> String {
        sketch.entities.first { $0.name == name }?.parent.map(root) ?? name
    }
}
