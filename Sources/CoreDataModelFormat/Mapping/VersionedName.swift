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
    /// Elements with equal identifiers match. The rest is matched more leniently, to suit the models that
    /// apps have: an identifier may be the last name of the element, whatever its identifier was then, and an
    /// unchanged name means the same element if an identifier was dropped or added.
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
