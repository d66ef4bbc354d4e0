// Attributes are added, removed and changed.
extension RandomEvolution {
    private static let types = [
        "int16", "int32", "int64", "double", "float", "decimal", "bool", "string", "date", "data", "external",
        "uuid",
        "uri", "transformable", "external-transformable",
    ]
    private static let numbers = ["bool", "int16", "int32", "int64", "double"]

    mutating func addAttribute() { addAttribute(to: random.number(0...sketch.entities.count - 1)) }

    mutating func addAttribute(to entity: Int) {
        if random.chance(20) { return addKey(to: entity) }
        var property = ModelSketch.Property(newName("a"), type: random.pick(Self.types))
        if random.chance(30) {
            property.value = defaultValue(of: property.type)
            property.isOptional = property.value == nil || random.chance(50)
        }
        sketch.entities[entity].properties.append(property)
    }

    /// An attribute whose values are all different.
    private mutating func addKey(to entity: Int) {
        let property = ModelSketch.Property(newName("k"), type: random.chance(50) ? "string" : "int64")
        sketch.entities[entity].properties.append(property)
    }

    func defaultValue(of type: String) -> String? {
        switch type {
        case "uuid": nil
        case "bool": "true"
        case "string", "data", "external", "transformable", "external-transformable": "text"
        case "uri": "https://example.com/text"
        default: "7"
        }
    }

    mutating func removeAttribute() {
        let places = places { $0.arrow == nil }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        sketch.entities[entity].properties.remove(at: index)
    }

    mutating func widenNumber() {
        let places = places { Self.numbers.dropLast().contains($0.type) && $0.isPlain }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let type = sketch.entities[entity].properties[index].type
        sketch.entities[entity].properties[index].type = widerNumber(than: type)
        if type == "bool" { sketch.entities[entity].properties[index].value = "1" }
    }

    mutating func widerNumber(than type: String) -> String {
        random.pick(Array(Self.numbers.drop { $0 != type }.dropFirst()))
    }

    /// Makes data attributes start or stop to allow external storage.
    mutating func moveValuesOutside() {
        let others = [
            "data": "external", "external": "data", "transformable": "external-transformable",
            "external-transformable": "transformable",
        ]
        let places = places { others[$0.type] != nil && $0.derivation == nil }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let type = sketch.entities[entity].properties[index].type
        sketch.entities[entity].properties[index].type = others[type]!
    }

    mutating func makeMandatory() {
        let places = places {
            $0.isOptional && $0.arrow == nil && $0.derivation == nil && !$0.name.hasPrefix("k")
                && !["uuid", "composite"].contains($0.type)
        }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let type = sketch.entities[entity].properties[index].type
        sketch.entities[entity].properties[index].isOptional = false
        sketch.entities[entity].properties[index].value = defaultValue(of: type)
    }
}
