/// The name and renaming identifier of an element of a model, by which its counterpart in another version is
/// found.
package struct VersionedName: Sendable, Hashable {
    package let name: String
    package let renamingIdentifier: String?

    package init(_ name: String, renamingIdentifier: String?) {
        self.name = name
        self.renamingIdentifier = renamingIdentifier
    }

    /// The name of the element across versions: its renaming identifier, or else its name.
    var identifier: String { renamingIdentifier ?? name }
}

extension Sequence<VersionedName> {
    /// Returns the counterparts of these elements in an older version: the old names by the new ones.
    ///
    /// Elements with equal identifiers match. The others are matched more leniently, since app models need
    /// it: an identifier may also be the element's name in the older version, whatever identifier it had
    /// there, and elements with the same name match if an identifier was removed or added.
    package func predecessors(among old: some Sequence<VersionedName>) -> [String: String] {
        var result: [String: String] = [:]
        var taken: Set<String> = []
        func match(_ isSame: (_ new: VersionedName, _ old: VersionedName) -> Bool) {
            for new in self where result[new.name] == nil {
                guard let former = old.first(where: { !taken.contains($0.name) && isSame(new, $0) }) else {
                    continue
                }
                result[new.name] = former.name
                taken.insert(former.name)
            }
        }
        match { $0.identifier == $1.identifier && $0.name == $1.name }
        match { $0.identifier == $1.identifier }
        match { $0.identifier == $1.name }
        match { $0.name == $1.name }
        return result
    }
}

extension EntityElement {
    package var versionedName: VersionedName { VersionedName(name, renamingIdentifier: renamingIdentifier) }
}

extension AttributeElement {
    package var versionedName: VersionedName { VersionedName(name, renamingIdentifier: renamingIdentifier) }
}

extension CompositeElementSlot {
    package var versionedName: VersionedName { VersionedName(name, renamingIdentifier: renamingIdentifier) }
}

extension RelationshipElement {
    package var versionedName: VersionedName { VersionedName(name, renamingIdentifier: renamingIdentifier) }
}
