/// An element of a model by what tells it from its siblings and is the same in another version.
package struct VersionedName: Sendable, Hashable {
    package let name: String
    package let renamingIdentifier: String?

    package init(_ name: String, renamingIdentifier: String?) {
        self.name = name
        self.renamingIdentifier = renamingIdentifier
    }

    /// What an element is called in all versions: its renaming identifier, or else its name.
    var identifier: String { renamingIdentifier ?? name }
}

extension Sequence<VersionedName> {
    /// The elements of an older version that these are the successors of: the old names by the new ones.
    ///
    /// Two elements are the same if their identifiers are. What is left then is matched more leniently, as models in the
    /// field are written: an identifier may be the name that the element had last, whatever its identifier was then, and
    /// a name that stays is the same element when an identifier has been dropped or added.
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
