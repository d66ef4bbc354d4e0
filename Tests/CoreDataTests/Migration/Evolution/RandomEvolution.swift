import Foundation

/// Random models, and random changes to them that a lightweight migration allows.
///
/// Every hierarchy has a mandatory attribute `name`, which identifies objects. Every other name is used only
/// once in all versions.
struct RandomEvolution {
    var sketch = ModelSketch("")
    var random: SeededGenerator
    private var count = 0

    /// - Parameter hasConfiguration: Whether the models have a configuration with some of the entities.
    init(seed: UInt64, hasConfiguration: Bool = false) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<random.number(2...4) { addEntity() }
        for _ in 0..<random.number(3...8) { addAttribute() }
        for _ in 0..<random.number(2...5) { addRelationship() }
        for _ in 0..<random.number(0...3) { addDerived() }
        for _ in 0..<random.number(0...2) { addComposite() }
        for _ in 0..<random.number(0...3) { addIndex() }
        for _ in 0..<random.number(0...2) { addConstraint() }
        tidy()
        if hasConfiguration { changeConfiguration(percent: 50) }
    }

    // MARK: Changes

    /// Changes the sketch to the next version.
    mutating func evolve() {
        for index in sketch.entities.indices {
            sketch.entities[index].formerName = nil
            for property in sketch.entities[index].properties.indices {
                sketch.entities[index].properties[property].forgetFormerName()
            }
        }
        for _ in 0..<random.number(1...5) {
            change()
            tidy()
        }
        if !sketch.configurations.isEmpty { changeConfiguration(percent: 15) }
    }

    private mutating func change() {
        switch random.number(0...33) {
        case 0: addEntity()
        case 1: removeEntity()
        case 2, 3: renameEntity()
        case 4: addAttribute()
        case 5: removeAttribute()
        case 6, 7: renameProperty()
        case 8: widenNumber()
        case 9: makeMandatory()
        case 10: moveValuesOutside()
        case 11, 12: addRelationship()
        case 13: removeRelationship()
        case 14: widenRelationship()
        case 15: changeOrder()
        case 16, 17: addParent()
        case 18, 19: leaveParent()
        case 20: addDerived()
        case 21: deriveAnew()
        case 22: keepDerived()
        case 23: addComposite()
        case 24, 25: changeElements()
        case 26: addIndex()
        case 27: removeIndex()
        case 28: addConstraint()
        case 29: giveInverse()
        case 30: loseInverse()
        case 31: joinParent()
        case 32: removeParent()
        default: removeConstraint()
        }
    }

    mutating func newName(_ prefix: String) -> String {
        count += 1
        // Names are not in the order of their creation.
        return "\(prefix)\(String(UnicodeScalar(UInt8(97 + random.number(0...25)))))\(count)"
    }

    // MARK: Properties

    /// Returns the places of properties that may change.
    func places(_ isWanted: (ModelSketch.Property) -> Bool) -> [(Int, Int)] {
        sketch.entities.indices.flatMap { entity in
            sketch.entities[entity].properties.indices
                .filter { index in
                    let property = sketch.entities[entity].properties[index]
                    return property.name != "name" && property.formerName == nil && isWanted(property)
                }
                .map { (entity, $0) }
        }
    }

    func place(of property: String, in entity: String) -> (Int, Int)? {
        guard let entity = sketch.entities.firstIndex(where: { $0.name == entity }),
            let index = sketch.entities[entity].properties.firstIndex(where: { $0.name == property })
        else { return nil }
        return (entity, index)
    }

    /// Renames a property with all references to it.
    mutating func renameProperty() {
        let places = places { _ in true }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let former = sketch.entities[entity].properties[index].name
        let name = newName(String(former.first!))
        sketch.entities[entity].properties[index].formerName = former
        sketch.entities[entity].properties[index].name = name
        for entity in sketch.entities.indices { sketch.entities[entity].replace(former, by: name) }
    }

    mutating func remove(_ property: ModelSketch.Property, of entity: String) {
        if let inverse = property.inverse, let place = place(of: inverse, in: property.destination) {
            sketch.entities[place.0].properties.remove(at: place.1)
        }
        if let place = place(of: property.name, in: entity) {
            sketch.entities[place.0].properties.remove(at: place.1)
        }
    }

    // MARK: Lookups

    /// The properties of an entity, inherited ones included.
    func properties(of entity: String) -> [ModelSketch.Property] {
        guard let entity = sketch.entities.first(where: { $0.name == entity }) else { return [] }
        return entity.properties + (entity.parent.map(properties) ?? [])
    }

    func property(_ name: String, of entity: String) -> ModelSketch.Property? {
        properties(of: entity).first { $0.name == name }
    }

    /// Removes references to properties that were removed or changed.
    private mutating func tidy() {
        tidyDerived()
        tidyIndexes()
    }
}

extension ModelSketch.Property {
    init(_ name: String, type: String, isOptional: Bool = true, value: String? = nil) {
        self.init(name: name, type: type, isOptional: isOptional, value: value)
    }

    /// Whether it has a stored value that can be compared and sorted by.
    var isPlain: Bool {
        arrow == nil && derivation == nil
            && !["composite", "transformable", "external", "external-transformable"].contains(type)
    }

    var isNumber: Bool { isPlain && ["int16", "int32", "int64", "double", "float"].contains(type) }

    fileprivate mutating func forgetFormerName() {
        formerName = nil
        for index in elements.indices { elements[index].forgetFormerName() }
    }
}

extension ModelSketch.Entity {
    fileprivate mutating func replace(_ former: String, by name: String) {
        func replaced(_ text: String) -> String {
            text.replacingOccurrences(of: "\\b\(former)\\b", with: name, options: .regularExpression)
        }
        for index in properties.indices {
            if properties[index].inverse == former { properties[index].inverse = name }
            properties[index].derivation = properties[index].derivation.map(replaced)
        }
        constraints = constraints.map { $0.map(replaced) }
        for index in indexes.indices {
            for element in indexes[index].elements.indices {
                indexes[index].elements[element].name = replaced(indexes[index].elements[element].name)
            }
            indexes[index].condition = indexes[index].condition.map(replaced)
        }
    }
}
