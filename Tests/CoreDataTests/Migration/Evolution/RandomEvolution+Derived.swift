// Derived attributes of every kind.
extension RandomEvolution {
    mutating func addDerived() {
        let entity = random.pick(sketch.entities.map(\.name))
        guard let (type, derivation) = newDerivation(for: entity) else { return }
        var property = ModelSketch.Property(newName("d"), type: type)
        property.derivation = derivation
        sketch.entities[sketch.entities.firstIndex { $0.name == entity }!].properties.append(property)
    }

    /// Returns an expression from which an attribute can be derived, with its type.
    private mutating func newDerivation(for entity: String) -> (type: String, derivation: String)? {
        let properties = properties(of: entity)
        let plain = properties.filter(\.isPlain)
        let texts = plain.filter { $0.type == "string" }
        let toMany = properties.filter { $0.arrow?.hasPrefix("->>") == true }
        let toOne = properties.filter { $0.arrow == "->" }
        switch random.number(0...5) {
        case 0: return ("date", "now()")
        case 1 where !toMany.isEmpty: return ("int64", "\(random.pick(toMany).name).@count")
        case 2 where !toMany.isEmpty:
            let relationship = random.pick(toMany)
            let numbers = self.properties(of: relationship.destination).filter(\.isNumber)
            return numbers.isEmpty
                ? nil : ("double", "sum:(\(relationship.name).\(random.pick(numbers).name))")
        case 3 where !toOne.isEmpty:
            let relationship = random.pick(toOne)
            let source = random.pick(self.properties(of: relationship.destination).filter(\.isPlain))
            return (source.type, "\(relationship.name).\(source.name)")
        case 4:
            let form = random.pick(["uppercase", "lowercase", "canonical"])
            return ("string", "\(form):(\(random.pick(texts).name))")
        default:
            let source = random.pick(plain)
            return (source.type, source.name)
        }
    }

    /// Changes the derivation of an attribute, or makes an ordinary one derived.
    mutating func deriveAnew() {
        let places = places { $0.arrow == nil && !$0.name.hasPrefix("k") }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        let property = sketch.entities[entity].properties[index]
        guard let (type, derivation) = newDerivation(for: sketch.entities[entity].name),
            type == property.type,
            derivation != property.name
        else { return }
        sketch.entities[entity].properties[index].derivation = derivation
        sketch.entities[entity].properties[index].value = nil
        sketch.entities[entity].properties[index].isOptional = true
    }

    /// Makes derived attributes ordinary ones.
    mutating func keepDerived() {
        let places = places { $0.derivation != nil }
        guard !places.isEmpty else { return }
        let (entity, index) = random.pick(places)
        sketch.entities[entity].properties[index].derivation = nil
    }

    /// Removes derived attributes with their sources, and adapts them to changed types.
    mutating func tidyDerived() {
        var isTidy = false
        while !isTidy {
            isTidy = true
            for entity in sketch.entities.indices {
                for index in sketch.entities[entity].properties.indices.reversed() {
                    let property = sketch.entities[entity].properties[index]
                    guard let text = property.derivation else { continue }
                    let type = type(of: Derivation(text), for: sketch.entities[entity].name)
                    if type == property.type { continue }
                    isTidy = false
                    if let type {
                        sketch.entities[entity].properties[index].type = type
                    } else {
                        sketch.entities[entity].properties.remove(at: index)
                    }
                }
            }
        }
    }

    /// Returns nil for a derivation that is no longer possible.
    private func type(of derivation: Derivation, for entity: String) -> String? {
        func plain(_ name: String?, of entity: String) -> ModelSketch.Property? {
            name.flatMap { property($0, of: entity) }.flatMap { $0.isPlain ? $0 : nil }
        }
        let relationship = derivation.relationship.flatMap { property($0, of: entity) }
        switch derivation.form {
        case .now: return "date"
        case .count: return relationship?.arrow?.hasPrefix("->>") == true ? "int64" : nil
        case .sum:
            guard let relationship, relationship.arrow != "->" else { return nil }
            return plain(derivation.attribute, of: relationship.destination).flatMap {
                $0.isNumber ? "double" : nil
            }
        case .copy:
            guard let name = derivation.relationship else {
                return plain(derivation.attribute, of: entity)?.type
            }
            guard let relationship = property(name, of: entity), relationship.arrow == "->" else {
                return nil
            }
            return plain(derivation.attribute, of: relationship.destination)?.type
        case .uppercase, .lowercase, .canonical:
            return plain(derivation.attribute, of: entity).flatMap { $0.type == "string" ? "string" : nil }
        }
    }
}

/// The parsed expression of a derived attribute.
struct Derivation {
    enum Form: String {
        case now, count, sum, copy, uppercase, lowercase, canonical
    }

    var form: Form
    var relationship: String?
    var attribute: String?

    init(_ text: String) {
        let names = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        form = names.lazy.compactMap(Form.init).first ?? .copy
        let keys = names.filter { Form(rawValue: $0) == nil }
        switch form {
        case .count: relationship = keys[0]
        case .sum, .copy:
            relationship = keys.count > 1 ? keys[0] : nil
            attribute = keys.last
        default: attribute = keys.first
        }
    }
}
