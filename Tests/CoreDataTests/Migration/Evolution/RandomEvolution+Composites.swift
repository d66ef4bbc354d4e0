// Elements of composite attributes are added, removed and changed.
extension RandomEvolution {
    private static let types = [
        "int16", "int32", "int64", "double", "decimal", "bool", "string", "date", "data", "uuid", "uri",
        "transformable",
    ]

    mutating func addComposite() {
        let composite = newComposite(depth: 0)
        sketch.entities[random.number(0...sketch.entities.count - 1)].properties.append(composite)
    }

    private mutating func newComposite(depth: Int) -> ModelSketch.Property {
        var composite = ModelSketch.Property(newName("c"), type: "composite")
        composite.elements = (0..<random.number(1...3)).map { _ in newElement(depth: depth) }
        return composite
    }

    private mutating func newElement(depth: Int) -> ModelSketch.Property {
        if depth < 2, random.chance(20) { return newComposite(depth: depth + 1) }
        var element = ModelSketch.Property(newName("e"), type: random.pick(Self.types))
        if random.chance(40) { element.value = defaultValue(of: element.type) }
        if element.value != nil, random.chance(50) { element.isOptional = false }
        return element
    }

    mutating func changeElements() {
        let places = places { $0.type == "composite" }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        var composite = sketch.entities[entity].properties[index]
        changeElements(of: &composite, depth: 0)
        sketch.entities[entity].properties[index] = composite
    }

    private mutating func changeElements(of composite: inout ModelSketch.Property, depth: Int) {
        let index = random.number(0...composite.elements.count - 1)
        var element = composite.elements[index]
        if element.type == "composite", random.chance(60) {
            changeElements(of: &composite.elements[index], depth: depth + 1)
            return
        }
        switch random.number(0...4) {
        case 0: composite.elements.append(newElement(depth: depth))
        case 1:
            if composite.elements.count > 1 { composite.elements.remove(at: index) }
            return
        case 2 where element.formerName == nil:
            element.formerName = element.name
            element.name = newName("e")
        case 3 where ["int16", "int32", "int64"].contains(element.type):
            element.type = widerNumber(than: element.type)
        default:
            if element.type == "composite" { return }
            element.value = element.value ?? defaultValue(of: element.type)
            element.isOptional = element.value == nil
        }
        composite.elements[index] = element
    }
}
