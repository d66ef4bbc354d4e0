// The form that `init(_:)` reads.
extension ModelSketch {
    var text: String {
        let configurations = configurations.sorted { $0.key < $1.key }.map { name, members in
            "configuration \(name): \(members.joined(separator: ", "))"
        }
        return (entities.map(\.text) + configurations).joined(separator: "\n")
    }
}

extension ModelSketch.Entity {
    fileprivate var text: String {
        var line = parent.map { "\(name): \($0)" } ?? name
        if isAbstract { line += " abstract" }
        if let formerName { line += " was \(formerName)" }
        let constraints = constraints.map { "  unique \($0.joined(separator: ", "))" }
        return ([line] + properties.flatMap { $0.lines(at: "") } + constraints + indexes.map(\.text))
            .joined(separator: "\n")
    }
}

extension ModelSketch.Property {
    fileprivate func lines(at path: String) -> [String] {
        var text = "  \(path)\(name) "
        if let arrow {
            text += "\(arrow) \(destination)\(inverse.map { ".\($0)" } ?? "")" + (isOptional ? "" : "!")
        } else {
            text += type + (isOptional ? "" : "!")
        }
        if let value { text += " = \(value)" }
        if let formerName { text += " was \(formerName)" }
        if let derivation { text += " derived \(derivation)" }
        for trait in ModelSketch.Trait.allCases where traits.contains(trait) { text += " \(trait.rawValue)" }
        return [text] + elements.flatMap { $0.lines(at: "\(path)\(name).") }
    }
}

extension ModelSketch.Index {
    fileprivate var text: String {
        let elements = elements.map { ($0.isSpatial ? "^" : $0.isAscending ? "" : "-") + $0.name }
        return "  index \(name) \(elements.joined(separator: ", "))"
            + (condition.map { " where \($0)" } ?? "")
    }
}
