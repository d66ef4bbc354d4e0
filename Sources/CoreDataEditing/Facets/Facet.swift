import CoreDataJSON
import CoreDataModelFormat
import CoreDataValues

/// A setting of an element of a model, as text. Default settings have no facet.
package struct Facet: Sendable, Hashable {
    package let name: String
    package let value: String

    /// The text of the setting in a list; for a flag, only its name.
    package var text: String { value == "yes" ? name : "\(name) \(value)" }
}

extension ModelElement {
    /// The settings of the element, in words.
    package var facets: [Facet] {
        switch self {
        case .model(let element): facets(element, .model, ModelDocument.facets)
        case .entity(let element): facets(element, .entity, EntityElement.facets)
        case .attribute(let element):
            facets(element, .attribute, AttributeElement.facets) + Self.rules(element.validationRules)
        case .relationship(let element):
            facets(element, .relationship, RelationshipElement.facets) + Self.rules(element.validationRules)
        case .fetchedProperty(let element):
            facets(element, .fetchedProperty, FetchedPropertyElement.facets)
                + Self.order(element.fetchRequest?.sort ?? [])
        case .index(let element): facets(element, .index, FetchIndexElement.facets)
        case .configuration(let element): facets(element, .configuration, ConfigurationElement.facets)
        case .composite(let element):
            element.attributes.map {
                Facet(name: $0.name, value: $0.type.editorName ?? AttributeElement.untyped)
            }
        case .fetchRequest(let element):
            facets(element, .fetchRequest, FetchRequestElement.facets) + Self.order(element.sort)
        }
    }

    private func facets<Element>(
        _ element: Element, _ kind: ElementKind, _ table: [ElementFacet<Element>]
    ) -> [Facet] {
        let blank = ModelElement.blank(kind, name)
        return table.compactMap { facet in
            let value = facet.read(element)
            guard facet.shown != .never, facet.shown == .always || value != blank.value(of: facet.name),
                let words = value.words(facet.type)
            else { return nil }
            // The editor writes the name as the identifier of an element that got its old name back.
            if facet.name == "renamingIdentifier", words == name { return nil }
            return Facet(name: facet.title, value: words)
        }
    }

    // These facets stand in code and in compiled models only.

    private static func rules(_ rules: [ValidationRule]) -> [Facet] {
        rules.map { Facet(name: "validated by", value: $0.predicate) }
    }

    private static func order(_ sort: [FetchRequestElement.Sort]) -> [Facet] {
        if sort.isEmpty { return [] }
        let keys = sort.map { $0.keyPath + ($0.isAscending ? "" : " descending") }
        return [Facet(name: "sorted by", value: keys.joined(separator: ", "))]
    }
}

extension JSONValue {
    /// Returns the value of a facet in words; nil if the element does not have the setting. Lists whose order
    /// means nothing are sorted.
    fileprivate func words(_ type: FacetType) -> String? {
        switch (self, type) {
        case (.boolean(let flag), _): return flag ? "yes" : "no"
        case (.integer(let number), _): return number > 0 ? String(number) : nil
        case (.string(let text), _): return text
        case (.array(let elements), .indexElements):
            return elements.map(\.wordsOfIndexElement).joined(separator: ", ")
        case (.array(let elements), .lists):
            let lists = elements.map { ($0.names ?? []).joined(separator: "+") }
            return lists.isEmpty ? nil : lists.sorted().joined(separator: ", ")
        case (.array, _):
            let names = names ?? []
            return names.isEmpty ? nil : names.sorted().joined(separator: ", ")
        case (.object(let members), _):
            let entries = members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.string ?? "")" }
            return entries.isEmpty ? nil : entries.joined(separator: ", ")
        case (.null, _), (.double, _): return nil
        }
    }

    private var wordsOfIndexElement: String {
        if let name = string { return name }
        let name = self["property"]?.string ?? self["expression"]?.string ?? ""
        return name + (self["descending"] == nil ? "" : " descending")
            + (self["kind"] == nil ? "" : " R-tree")
    }
}
