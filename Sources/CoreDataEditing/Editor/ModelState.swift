import Foundation
package import CoreDataModelFormat

/// All versions of a model as they are at one moment: what a step of the editor restores. Copies share their
/// arrays.
package struct ModelState: Sendable, Hashable {
    /// The versions, in the order of their names, with numbers in them compared as numbers.
    package internal(set) var versions: [EditedVersion]
    package internal(set) var currentVersionName: String
    /// Whether no file names the current version, and no command has chosen one or changed which versions
    /// there are.
    package internal(set) var assumesCurrentVersion: Bool

    package var current: EditedVersion { versions.first { $0.name == currentVersionName }! }

    package func version(named name: String) -> EditedVersion? { versions.first { $0.name == name } }

    /// Returns the version before another one: the one it was copied from, or else that in front of it.
    package func predecessor(of version: EditedVersion) -> EditedVersion? {
        if let name = version.predecessorName, let original = self.version(named: name) { return original }
        let index = versions.firstIndex { $0.name == version.name } ?? 0
        return index > 0 ? versions[index - 1] : nil
    }

    func index(of name: String?) throws(Refusal.Reason) -> Int {
        let name = name ?? currentVersionName
        guard let index = versions.firstIndex(where: { $0.name == name }) else { throw .unknownVersion(name) }
        return index
    }

    mutating func sort() {
        versions.sort { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
    }
}

/// A version of a model in an editor.
package struct EditedVersion: Sendable, Hashable {
    package internal(set) var name: String
    package internal(set) var document: ModelDocument
    /// The IDs of the elements, in the shape of the document.
    package internal(set) var root: ElementNode
    /// The name of the version that this one was copied from in the editor.
    var predecessorName: String?
    /// The places of entities that its file has no `<elements>` for; nil if places are added to the file.
    package internal(set) var positions: [ElementID: GraphPoint]?

    /// The places of entities beside the file, by name.
    package var namedPositions: [String: GraphPoint] {
        guard let positions else { return [:] }
        let pairs = zip(root.members[.entity] ?? [], document.entities).compactMap { node, entity in
            positions[node.id].map { (entity.name, $0) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns places by ID of those by name.
    func positions(named names: [String: GraphPoint]) -> [ElementID: GraphPoint] {
        let pairs = zip(root.members[.entity] ?? [], document.entities).compactMap { node, entity in
            names[entity.name].map { (node.id, $0) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    package func id(at place: ElementPlace) -> ElementID { root[place].id }

    package func element(_ id: ElementID) -> ModelElement? { root.place(of: id).map { document[$0] } }

    package func path(of id: ElementID) -> String? { root.place(of: id).map(document.path) }

    package func id(of path: String) -> ElementID? { document.place(at: path).map(id) }

    func place(of address: ElementAddress) throws(Refusal.Reason) -> ElementPlace {
        let place =
            switch address {
            case .path(let path): document.place(at: path)
            case .id(let id): root.place(of: id)
            }
        guard let place else { throw .unknownElement(address) }
        return place
    }
}
