import CoreDataEditing
package import CoreDataJSON
package import CoreDataModelFormat

/// The differences between two versions of a model, with the entities whose stores would have to be migrated.
package struct ModelDiff: Sendable {
    /// The changes: entities by name, their properties by kind and name, then the elements of the whole
    /// model.
    package let changes: [ModelChange]
    /// The names of the entities whose version hashes differ, or that only one version has.
    package let incompatibleEntities: [String]

    /// Compares two versions.
    ///
    /// - Parameter comparesCode: Whether settings for generated code are compared, which compiled models do
    ///   not contain.
    package init(from old: ModelDocument, to new: ModelDocument, comparesCode: Bool = true) {
        var comparison = Comparison(ignored: comparesCode ? [:] : Self.codeFacets)
        comparison.entities(old.entities, new.entities)
        for kind in [ElementKind.configuration, .composite, .fetchRequest] {
            comparison.compare(kind, ModelElement.model(old).named(kind), ModelElement.model(new).named(kind))
        }
        changes = comparison.changes
        incompatibleEntities = VersionHashes.differences(
            VersionHashes(old).byEntity, VersionHashes(new).byEntity)
    }

    /// Compares versions of two models. If only one of them is a source, both are compared in compiled form.
    ///
    /// - Parameters:
    ///   - oldName: A version of the older model; nil for the current one.
    ///   - newName: A version of the newer model; nil for the current one.
    package init(_ old: ModelSource, _ oldName: String?, to new: ModelSource, _ newName: String?) throws {
        if old.isSource == new.isSource {
            try self.init(
                from: old.document(of: oldName), to: new.document(of: newName), comparesCode: old.isSource)
        } else {
            let (former, latter) = (try old.document(of: oldName), try new.document(of: newName))
            try self.init(
                from: old.compiledDocument(of: oldName, like: latter),
                to: new.compiledDocument(of: newName, like: former), comparesCode: false)
        }
    }

    private static let codeFacets: [ElementKind: Set<String>] = [
        .entity: ["codegen"], .attribute: ["scalar", "class"],
    ]

    package var text: String {
        var lines = changes.map(\.text)
        if changes.isEmpty { lines.append("no difference") }
        lines.append(
            incompatibleEntities.isEmpty
                ? "Stores of one version can be opened with the other."
                : "Stores have to be migrated: the version hashes of "
                    + "\(incompatibleEntities.joined(separator: ", ")) differ.")
        return lines.joined(separator: "\n")
    }

    package var json: JSONValue {
        .object([
            .init("changes", .array(changes.map(\.json))),
            .init("incompatibleEntities", .array(incompatibleEntities.map { .string($0) })),
        ])
    }
}

/// An element in a comparison.
private struct Named {
    let name: String
    let facets: [Facet]
    let renamingIdentifier: String?

    init(_ element: ModelElement, _ facets: [Facet]) {
        name = element.name
        // Names are matched by the renaming identifier, so it is not a separate difference.
        self.facets = facets.filter { $0.name != "renamed from" }
        renamingIdentifier = element.value(of: "renamingIdentifier")?.string
    }
}

private struct Comparison {
    /// The names of the facets that are not compared.
    let ignored: [ElementKind: Set<String>]
    var changes: [ModelChange] = []

    init(ignored: [ElementKind: Set<String>]) {
        self.ignored = ignored
    }

    mutating func entities(_ old: [EntityElement], _ new: [EntityElement]) {
        let pairs = compare(
            .entity, old.map { Named(.entity($0), ModelElement.entity($0).facets) },
            new.map { Named(.entity($0), ModelElement.entity($0).facets) })
        for (before, after) in pairs.sorted(by: { $0.1 < $1.1 }) {
            guard let old = old.first(where: { $0.name == before }),
                let new = new.first(where: { $0.name == after })
            else { continue }
            for kind in ElementKind.entity.members {
                compare(
                    kind, ModelElement.entity(old).named(kind), ModelElement.entity(new).named(kind),
                    prefix: "\(after).")
            }
        }
    }

    /// Appends the differences of two lists.
    ///
    /// - Returns: The old and new names of elements that are in both.
    @discardableResult
    mutating func compare(
        _ subject: ElementKind, _ old: [Named], _ new: [Named], prefix: String = ""
    ) -> [(String, String)] {
        var pairs: [(String, String)] = []
        let before = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
        var gone = Set(before.keys)
        for element in new.sorted(by: { $0.name < $1.name }) {
            let former = element.renamingIdentifier.flatMap { name in
                new.contains { $0.name == name } ? nil : before[name]
            }
            guard let match = before[element.name] ?? former else {
                changes.append(.added(subject, path: prefix + element.name, element.facets))
                continue
            }
            gone.remove(match.name)
            pairs.append((match.name, element.name))
            if match.name != element.name {
                changes.append(.renamed(subject, from: prefix + match.name, to: prefix + element.name))
            }
            facets(subject, prefix + element.name, match.facets, element.facets)
        }
        changes += gone.sorted().map { .removed(subject, path: prefix + $0) }
        return pairs
    }

    private mutating func facets(
        _ subject: ElementKind, _ path: String, _ old: [Facet], _ new: [Facet]
    ) {
        var names: [String] = []
        for facet in old + new where !names.contains(facet.name) { names.append(facet.name) }
        for name in names where ignored[subject]?.contains(name) != true {
            let before = old.filter { $0.name == name }.map(\.value).joined(separator: "; ")
            let after = new.filter { $0.name == name }.map(\.value).joined(separator: "; ")
            guard before != after else { continue }
            changes.append(
                .changed(
                    subject, path: path, facet: name, from: before.isEmpty ? nil : before,
                    to: after.isEmpty ? nil : after))
        }
    }
}

extension ModelElement {
    /// Returns the members of a kind. A flag that an attribute is indexed is left out if there is also an index,
    /// since compiled models contain both.
    fileprivate func named(_ kind: ElementKind) -> [Named] {
        members(kind).map { member in
            guard case .entity(let entity) = self, case .attribute(let attribute) = member,
                entity.hasIndex(ofOnly: attribute)
            else { return Named(member, member.facets) }
            return Named(member, member.facets.filter { $0.name != "indexed" })
        }
    }
}
