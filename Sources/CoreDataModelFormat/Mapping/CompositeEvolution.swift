import CoreDataValues

// What the elements of a composite attribute were in an older version. They are matched as properties are.
extension AttributeSlot {
    /// By the name of an element, the one that it was; those that are new are missing.
    package func elementOrigins(in old: AttributeSlot) -> [String: CompositeElementSlot] {
        let names = elements.map(\.versionedName).predecessors(among: old.elements.map(\.versionedName))
        return names.compactMapValues { name in old.elements.first { $0.name == name } }
    }

    /// The path that an element had; nil for one that is new, or within one.
    package func formerPath(of path: some Collection<String>, in old: AttributeSlot) -> [String]? {
        guard let name = path.first else { return [] }
        guard let element = element(named: name), let origin = elementOrigins(in: old)[name],
            let rest = element.formerPath(of: path.dropFirst(), in: origin.attribute)
        else { return nil }
        return [origin.name] + rest
    }
}
