import CoreDataValues

// Matches the elements of a composite attribute with those of an older version, by the same rules as
// properties.
extension AttributeSlot {
    /// Returns the older element for each element, by the new name. New elements have no entry.
    package func elementOrigins(in old: AttributeSlot) -> [String: CompositeElementSlot] {
        let names = elements.map(\.versionedName).predecessors(among: old.elements.map(\.versionedName))
        return names.compactMapValues { name in old.elements.first { $0.name == name } }
    }

    /// Returns the former path of an element; nil if the element, or one that contains it, is new.
    package func formerPath(of path: some Collection<String>, in old: AttributeSlot) -> [String]? {
        guard let name = path.first else { return [] }
        guard let element = element(named: name), let origin = elementOrigins(in: old)[name],
            let rest = element.formerPath(of: path.dropFirst(), in: origin.attribute)
        else { return nil }
        return [origin.name] + rest
    }
}
