package import CoreDataModelFormat
import CoreDataModelSource
import Foundation

extension ModelMerge {
    /// The merged model with a comment before each element that has a conflict. Linting reports such a
    /// comment as an error until it is removed.
    package var marked: ModelDocument {
        var marked = document
        for conflict in conflicts { marked.mark(conflict) }
        return marked
    }
}

extension ModelDocument {
    fileprivate mutating func mark(_ conflict: MergeConflict) {
        let path = conflict.path
        let owner =
            entities.indices.first { path == entities[$0].name }
            ?? entities.indices.first { path.hasPrefix("\(entities[$0].name).") }
        guard let owner else {
            let key = elementKeys.first { $0.path == path }?.key ?? firstKey
            extras.append(extra(conflict, before: key, depth: 1))
            return
        }
        let name = path.dropFirst(entities[owner].name.count + 1)
        let key = entities[owner].propertyKeys.first { $0.name == name }?.key
        if let key {
            entities[owner].extras.append(extra(conflict, before: key, depth: 2))
        } else {
            let key = SourceKeys.key("entity", entities[owner].name)
            extras.append(extra(conflict, before: key, depth: 1))
        }
    }

    private func extra(_ conflict: MergeConflict, before key: String?, depth: Int) -> SourceExtra {
        // Two hyphens would end a comment, and so would one at its end.
        let text = conflict.text.replacing("--", with: "- -").replacing("--", with: "- -")
        let lead = "\n" + String(repeating: form.indentation, count: depth)
        return SourceExtra(before: key, .text("\(lead)\(SourceExtra.conflictMark)\(text) -->"))
    }

    /// The keys of the elements other than entities, by the paths of conflicts.
    private var elementKeys: [(path: String, key: String)] {
        fetchRequests.map { (ElementPath.fetchRequest($0.name), SourceKeys.key("fetchRequest", $0.name)) }
            + configurations.map {
                (ElementPath.configuration($0.name), SourceKeys.key("configuration", $0.name))
            } + composites.map { (ElementPath.composite($0.name), SourceKeys.key("composite", $0.name)) }
    }

    private var firstKey: String? {
        entities.first.map { SourceKeys.key("entity", $0.name) } ?? elementKeys.first?.key
    }
}

extension EntityElement {
    /// The keys of what has a path below the entity, by the rest of the path.
    fileprivate var propertyKeys: [(name: String, key: String)] {
        attributes.map { ($0.name, SourceKeys.key("attribute", $0.name)) }
            + relationships.map { ($0.name, SourceKeys.key("relationship", $0.name)) }
            + fetchedProperties.map { ($0.name, SourceKeys.key("fetchedProperty", $0.name)) }
            + fetchIndexes.map { ("index:\($0.name)", SourceKeys.key("fetchIndex", $0.name)) }
    }
}
