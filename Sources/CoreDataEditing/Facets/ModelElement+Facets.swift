package import CoreDataJSON
import CoreDataModelFormat

/// A facet of elements of one kind, with its type hidden.
package struct FacetOutline: Sendable, Hashable {
    package let name: String
    package let title: String
    package let type: FacetType
}

extension ElementKind {
    /// The settings of elements of this kind, in the order in which they are shown.
    package var facets: [FacetOutline] {
        switch self {
        case .model: Self.outlines(ModelDocument.facets)
        case .entity: Self.outlines(EntityElement.facets)
        case .attribute: Self.outlines(AttributeElement.facets)
        case .relationship: Self.outlines(RelationshipElement.facets)
        case .fetchedProperty: Self.outlines(FetchedPropertyElement.facets)
        case .index: Self.outlines(FetchIndexElement.facets)
        case .configuration: Self.outlines(ConfigurationElement.facets)
        case .composite: []
        case .fetchRequest: Self.outlines(FetchRequestElement.facets)
        }
    }

    private static func outlines<Element>(_ facets: [ElementFacet<Element>]) -> [FacetOutline] {
        facets.map { FacetOutline(name: $0.name, title: $0.title, type: $0.type) }
    }
}

extension ModelElement {
    /// Returns the value of a facet; nil if elements of this kind have no such facet.
    package func value(of facet: String) -> JSONValue? {
        func value<Element>(_ element: Element, _ facets: [ElementFacet<Element>]) -> JSONValue? {
            facets.first { $0.name == facet }?.read(element)
        }
        return switch self {
        case .model(let element): value(element, ModelDocument.facets)
        case .entity(let element): value(element, EntityElement.facets)
        case .attribute(let element): value(element, AttributeElement.facets)
        case .relationship(let element): value(element, RelationshipElement.facets)
        case .fetchedProperty(let element): value(element, FetchedPropertyElement.facets)
        case .index(let element): value(element, FetchIndexElement.facets)
        case .configuration(let element): value(element, ConfigurationElement.facets)
        case .composite: nil
        case .fetchRequest(let element): value(element, FetchRequestElement.facets)
        }
    }

    /// Sets a facet. An element that has the value already stays as it is, spelling included.
    mutating func set(_ facet: String, to value: JSONValue) throws(Refusal.Reason) {
        guard value.isLegalInXML else { throw .illegalText(facet: facet) }
        let kind = kind
        func changed<Element>(
            _ element: Element, _ facets: [ElementFacet<Element>]
        ) throws(Refusal.Reason) -> Element {
            guard let definition = facets.first(where: { $0.name == facet }) else {
                throw .unknownFacet(facet, kind)
            }
            guard definition.read(element) != value else { return element }
            var element = element
            do throws(FacetMismatch) {
                try definition.write(&element, value)
            } catch {
                throw .unfit(facet: facet, expected: error.message)
            }
            return element
        }
        switch self {
        case .model(let element): self = .model(try changed(element, ModelDocument.facets))
        case .entity(let element): self = .entity(try changed(element, EntityElement.facets))
        case .attribute(let element): self = .attribute(try changed(element, AttributeElement.facets))
        case .relationship(let element):
            self = .relationship(try changed(element, RelationshipElement.facets))
        case .fetchedProperty(let element):
            self = .fetchedProperty(try changed(element, FetchedPropertyElement.facets))
        case .index(let element): self = .index(try changed(element, FetchIndexElement.facets))
        case .configuration(let element):
            self = .configuration(try changed(element, ConfigurationElement.facets))
        case .composite: throw .unknownFacet(facet, kind)
        case .fetchRequest(let element):
            self = .fetchRequest(try changed(element, FetchRequestElement.facets))
        }
    }
}

extension JSONValue {
    /// Whether every text in it can stand in an XML file.
    var isLegalInXML: Bool {
        switch self {
        case .null, .boolean, .integer, .double: true
        case .string(let text): text.isLegalInXML
        case .array(let elements): elements.allSatisfy(\.isLegalInXML)
        case .object(let members): members.allSatisfy { $0.key.isLegalInXML && $0.value.isLegalInXML }
        }
    }
}

extension String {
    /// Whether every character can stand in an XML file: the control characters besides tab and line break
    /// cannot, not even escaped.
    var isLegalInXML: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case ..<0x20, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
    }
}
