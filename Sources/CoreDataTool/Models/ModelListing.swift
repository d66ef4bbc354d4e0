import CoreDataEditing
package import CoreDataModelFormat

/// A model as text: every entity with its properties, one line each.
package struct ModelListing {
    private let document: ModelDocument

    package init(_ document: ModelDocument) {
        self.document = document
    }

    /// Returns the text.
    ///
    /// - Parameter names: The entities to list; if empty, all entities and the elements of the whole model.
    package func text(entities names: [String] = []) throws(ToolError) -> String {
        for name in names where !document.entities.contains(where: { $0.name == name }) {
            let known = document.entities.map(\.name).sorted().joined(separator: ", ")
            throw ToolError("the model has no entity \"\(name)\"; it has \(known)")
        }
        let chosen = document.entities.filter { names.isEmpty || names.contains($0.name) }
        let sections = chosen.sorted { $0.name < $1.name }.map(Self.section) + (names.isEmpty ? others : [])
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private static func section(_ entity: EntityElement) -> [String] {
        let element = ModelElement.entity(entity)
        let facets = element.facets.map(\.text).joined(separator: ", ")
        let titles: [(ElementKind, String)] = [
            (.attribute, "attributes"), (.relationship, "relationships"),
            (.fetchedProperty, "fetched properties"), (.index, "indexes"),
        ]
        return [entity.name + (facets.isEmpty ? "" : ": \(facets)")]
            + titles.flatMap { kind, title in list(title, element.members(kind)) }
    }

    private static func list(_ title: String, _ elements: [ModelElement]) -> [String] {
        guard !elements.isEmpty else { return [] }
        var table = TextTable([("", .left), ("", .left)])
        for element in elements.sorted(by: { $0.name < $1.name }) {
            table.append([element.name, element.facets.map(Self.brief).joined(separator: ", ")])
        }
        return ["  \(title)"] + table.lines.map { "    " + $0 }
    }

    /// Returns the text of a facet. Types and destinations, which every property has, are written without the
    /// facet's name.
    private static func brief(_ facet: Facet) -> String {
        switch facet.name {
        case "type": facet.value
        case "destination": "to \(facet.value)"
        default: facet.text
        }
    }

    private var others: [[String]] {
        let titles: [(ElementKind, String)] = [
            (.configuration, "configurations"), (.composite, "composites"), (.fetchRequest, "fetch requests"),
        ]
        let lists = titles.map { kind, title in Self.list(title, ModelElement.model(document).members(kind)) }
        return lists.filter { !$0.isEmpty }.map { lines in lines.map { String($0.dropFirst(2)) } }
    }
}
