// Fetch indexes and uniqueness constraints.
extension RandomEvolution {
    mutating func addIndex() {
        let entity = random.number(0...sketch.entities.count - 1)
        let properties = properties(of: sketch.entities[entity].name)
        let numbers = properties.filter(\.isNumber)
        var index = ModelSketch.Index(name: newName("i"), elements: [])
        if random.chance(30), !numbers.isEmpty {
            for property in numbers.prefix(random.number(1...3)) {
                index.elements.append(.init(name: property.name, isSpatial: true))
            }
        } else {
            let indexed = properties.filter { $0.isPlain || $0.arrow == "->" || $0.type == "composite" }
            for property in indexed.shuffled(using: &random).prefix(random.number(1...3)) {
                index.elements.append(.init(name: property.name, isAscending: random.chance(60)))
            }
            if random.chance(30), let number = numbers.first { index.condition = "\(number.name) > 3" }
        }
        sketch.entities[entity].indexes.append(index)
    }

    mutating func removeIndex() {
        let entity = random.number(0...sketch.entities.count - 1)
        if !sketch.entities[entity].indexes.isEmpty { sketch.entities[entity].indexes.removeLast() }
    }

    /// Adds a constraint that the values satisfy: with the name, or another attribute whose values all
    /// differ.
    mutating func addConstraint() {
        let entity = random.number(0...sketch.entities.count - 1)
        let properties = properties(of: sketch.entities[entity].name)
        let keys = properties.filter { $0.name == "name" || $0.name.hasPrefix("k") }
        let others = properties.filter { $0.isPlain || $0.arrow == "->" }
        var constraint = [random.pick(keys).name]
        if random.chance(50), let other = others.randomElement(using: &random), other.name != constraint[0] {
            constraint.append(other.name)
        }
        if !sketch.entities[entity].constraints.contains(constraint) {
            sketch.entities[entity].constraints.append(constraint)
        }
    }

    mutating func removeConstraint() {
        let entity = random.number(0...sketch.entities.count - 1)
        if !sketch.entities[entity].constraints.isEmpty { sketch.entities[entity].constraints.removeLast() }
    }

    /// Removes indexes and constraints with their properties.
    mutating func tidyIndexes() {
        for entity in sketch.entities.indices {
            let properties = properties(of: sketch.entities[entity].name)
            let names = Set(properties.filter { !($0.arrow?.hasPrefix("->>") ?? false) }.map(\.name))
            let numbers = Set(properties.filter(\.isNumber).map(\.name))
            sketch.entities[entity].constraints.removeAll { !names.isSuperset(of: $0) }
            sketch.entities[entity].indexes.removeAll { index in
                let isWhole = index.elements.allSatisfy {
                    ($0.isSpatial ? numbers : names).contains($0.name)
                }
                let condition = index.condition?.split(separator: " ").first.map(String.init)
                return !isWhole || condition.map { !numbers.contains($0) } ?? false
            }
        }
    }
}
