import Foundation

/// Random models, and random changes to them that a lightweight migration allows.
///
/// Every hierarchy has a mandatory attribute `name`, by which a test tells objects.
struct RandomEvolution {
    var sketch = ModelSketch("")
    private var random: SeededGenerator
    private var count = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<random.number(2...4) { addEntity() }
        for _ in 0..<random.number(3...8) { addAttribute() }
        for _ in 0..<random.number(2...5) { addRelationship() }
    }

    private static let types = [
        "int16", "int32", "int64", "double", "decimal", "bool", "string", "date", "data", "uuid",
    ]
    private static let numbers = ["bool", "int16", "int32", "int64", "double"]

    private mutating func newName(_ prefix: String) -> String {
        count += 1
        // The names are not in the order in which they come into being.
        return "\(prefix)\(String(UnicodeScalar(UInt8(97 + random.number(0...25)))))\(count)"
    }

    // MARK: Changes

    /// A version later.
    mutating func evolve() {
        for index in sketch.entities.indices {
            sketch.entities[index].formerName = nil
            for property in sketch.entities[index].properties.indices {
                sketch.entities[index].properties[property].formerName = nil
            }
        }
        for _ in 0..<random.number(1...4) { change() }
    }

    private mutating func change() {
        switch random.number(0...14) {
        case 0: addEntity()
        case 1: removeEntity()
        case 2, 3: renameEntity()
        case 4: addAttribute()
        case 5: removeAttribute()
        case 6: renameProperty()
        case 7: widenNumber()
        case 8: makeMandatory()
        case 9: addRelationship()
        case 10: removeRelationship()
        case 11: widenRelationship()
        case 12: changeOrder()
        case 13: addParent()
        default: leaveParent()
        }
    }

    // MARK: Entities

    private mutating func addEntity() {
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

    private func hasChildren(_ name: String) -> Bool { sketch.entities.contains { $0.parent == name } }

    private mutating func removeEntity() {
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

    private mutating func renameEntity() {
        let index = random.number(0...sketch.entities.count - 1)
        let old = sketch.entities[index].name
        guard sketch.entities[index].formerName == nil else { return }
        let new = newName("E")
        sketch.entities[index].formerName = old
        sketch.entities[index].name = new
        for entity in sketch.entities.indices {
            if sketch.entities[entity].parent == old { sketch.entities[entity].parent = new }
            for property in sketch.entities[entity].properties.indices
            where sketch.entities[entity].properties[property].destination == old {
                sketch.entities[entity].properties[property].destination = new
            }
        }
    }

    /// Two hierarchies become one.
    private mutating func addParent() {
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

    /// A child with attributes of its own only becomes a hierarchy of its own.
    private mutating func leaveParent() {
        let children = sketch.entities.indices.filter { sketch.entities[$0].parent != nil }
        guard !children.isEmpty else { return }
        let index = random.pick(children)
        // Relationships that lead to an ancestor, or were inherited, would lead to two hierarchies.
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

    // MARK: Attributes

    private mutating func addAttribute() { addAttribute(to: random.number(0...sketch.entities.count - 1)) }

    private mutating func addAttribute(to entity: Int) {
        var property = ModelSketch.Property(newName("a"), type: random.pick(Self.types))
        if random.chance(30) {
            property.value = defaultValue(of: property.type)
            property.isOptional = property.value == nil || random.chance(50)
        }
        sketch.entities[entity].properties.append(property)
    }

    private func defaultValue(of type: String) -> String? {
        switch type {
        case "uuid": nil
        case "bool": "true"
        case "string", "data": "text"
        default: "7"
        }
    }

    /// Places of properties that may change.
    private func places(_ isWanted: (ModelSketch.Property) -> Bool) -> [(Int, Int)] {
        sketch.entities.indices.flatMap { entity in
            sketch.entities[entity].properties.indices
                .filter { index in
                    let property = sketch.entities[entity].properties[index]
                    return property.name != "name" && property.formerName == nil && isWanted(property)
                }
                .map { (entity, $0) }
        }
    }

    private mutating func removeAttribute() {
        let places = places { $0.arrow == nil }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        sketch.entities[entity].properties.remove(at: index)
    }

    private mutating func renameProperty() {
        let places = places { _ in true }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let property = sketch.entities[entity].properties[index]
        let name = newName(property.arrow == nil ? "a" : "r")
        if let inverse = property.inverse, let place = place(of: inverse, in: property.destination) {
            sketch.entities[place.0].properties[place.1].inverse = name
        }
        // A relationship that is its own inverse is one property.
        if sketch.entities[entity].properties[index].inverse == property.name,
            property.destination == sketch.entities[entity].name
        {
            sketch.entities[entity].properties[index].inverse = name
        }
        sketch.entities[entity].properties[index].formerName = property.name
        sketch.entities[entity].properties[index].name = name
    }

    private func place(of property: String, in entity: String) -> (Int, Int)? {
        guard let entity = sketch.entities.firstIndex(where: { $0.name == entity }),
            let index = sketch.entities[entity].properties.firstIndex(where: { $0.name == property })
        else { return nil }
        return (entity, index)
    }

    private mutating func widenNumber() {
        let places = places { Self.numbers.dropLast().contains($0.type) }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let type = sketch.entities[entity].properties[index].type
        let wider = Self.numbers.drop { $0 != type }.dropFirst()
        sketch.entities[entity].properties[index].type = random.pick(Array(wider))
        if type == "bool" { sketch.entities[entity].properties[index].value = "1" }
    }

    private mutating func makeMandatory() {
        let places = places { $0.arrow == nil && $0.isOptional && $0.type != "uuid" }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let type = sketch.entities[entity].properties[index].type
        sketch.entities[entity].properties[index].isOptional = false
        sketch.entities[entity].properties[index].value = defaultValue(of: type)
    }

    // MARK: Relationships

    private mutating func addRelationship() {
        let names = sketch.entities.map(\.name)
        let (owner, destination) = (random.pick(names), random.pick(names))
        let arrows = ["->", "->>", "->>", "->>>"]
        var first = ModelSketch.Property(newName("r"), type: "")
        (first.arrow, first.destination) = (random.pick(arrows), destination)
        let ownerIndex = names.firstIndex(of: owner)!
        if random.chance(20) {
            // Without an inverse.
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

    private mutating func removeRelationship() {
        let places = places { $0.arrow != nil }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        remove(sketch.entities[entity].properties[index], of: sketch.entities[entity].name)
    }

    private mutating func remove(_ property: ModelSketch.Property, of entity: String) {
        if let inverse = property.inverse, let place = place(of: inverse, in: property.destination) {
            sketch.entities[place.0].properties.remove(at: place.1)
        }
        if let place = place(of: property.name, in: entity) {
            sketch.entities[place.0].properties.remove(at: place.1)
        }
    }

    /// Only with an inverse: without one a to-many cannot have what another has.
    private mutating func widenRelationship() {
        let places = places { $0.arrow == "->" && $0.inverse != nil && $0.inverse != $0.name }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        sketch.entities[entity].properties[index].arrow = random.chance(50) ? "->>" : "->>>"
    }

    private mutating func changeOrder() {
        let places = places { $0.arrow != nil && $0.arrow != "->" && $0.inverse != $0.name }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let isOrdered = sketch.entities[entity].properties[index].arrow == "->>>"
        sketch.entities[entity].properties[index].arrow = isOrdered ? "->>" : "->>>"
    }
}

extension ModelSketch.Property {
    init(_ name: String, type: String, isOptional: Bool = true, value: String? = nil) {
        self.init(name: name, type: type, isOptional: isOptional, value: value)
    }
}

extension ModelSketch {
    /// The form that `init(_:)` reads, for messages of failures.
    var text: String {
        entities.map { entity in
            var line = entity.parent.map { "\(entity.name): \($0)" } ?? entity.name
            if entity.isAbstract { line += " abstract" }
            if let former = entity.formerName { line += " was \(former)" }
            let properties = entity.properties.map { property in
                var text = "  \(property.name) "
                if let arrow = property.arrow {
                    text += "\(arrow) \(property.destination)\(property.inverse.map { ".\($0)" } ?? "")"
                } else {
                    text += property.type + (property.isOptional ? "" : "!")
                }
                if let value = property.value { text += " = \(value)" }
                return text + (property.formerName.map { " was \($0)" } ?? "")
            }
            return ([line] + properties).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
