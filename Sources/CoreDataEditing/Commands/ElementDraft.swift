package import CoreDataJSON
import CoreDataModelFormat
import CoreDataValues

/// A new element as a command describes it: its kind, its name, what is set, and the elements in it. Elements
/// are copied and pasted in this form.
package struct ElementDraft: Sendable, Hashable {
    package var kind: ElementKind
    /// The name; nil for the first free one.
    package var name: String?
    package var facets: [JSONValue.Member]
    package var members: [ElementDraft]

    package init(
        _ kind: ElementKind, name: String? = nil, _ facets: [JSONValue.Member] = [],
        members: [ElementDraft] = []
    ) {
        self.kind = kind
        self.name = name
        self.facets = facets
        self.members = members
    }

    /// Describes an element: what is set to another value than that of a new element.
    package init(_ element: ModelElement) {
        let blank = ModelElement.blank(element.kind, element.name)
        let facets = element.kind.facets.compactMap { facet -> JSONValue.Member? in
            guard let value = element.value(of: facet.name), value != blank.value(of: facet.name) else {
                return nil
            }
            return JSONValue.Member(facet.name, value)
        }
        self.init(
            element.kind, name: element.name, facets,
            members: element.kind.members.flatMap { element.members($0).map { ElementDraft($0) } })
    }

    /// Makes the element and those in it.
    ///
    /// - Parameters:
    ///   - name: The name, in place of the draft's own.
    ///   - defaults: Returns what is set of a new element of a kind and name, before what the draft sets.
    func element(
        named name: String, _ defaults: (ElementKind, String) -> [JSONValue.Member]
    ) throws(Refusal.Reason) -> ModelElement {
        var element = ModelElement.blank(kind, name)
        for facet in defaults(kind, name).filter({ own in !facets.contains { $0.key == own.key } }) + facets {
            try element.set(facet.key, to: facet.value)
        }
        for draft in members {
            guard kind.members.contains(draft.kind) else { throw .misplaced(draft.kind, in: kind) }
            let taken = element.members(in: draft.kind.namesakes).map(\.name)
            let name = draft.name ?? draft.kind.newName.free(among: taken)
            try name.require(legalFor: draft.kind)
            if taken.contains(name) { throw .nameTaken(name) }
            element.append(try draft.element(named: name, defaults))
        }
        return element
    }
}

extension ModelElement {
    /// Returns a new element in which nothing is set.
    package static func blank(_ kind: ElementKind, _ name: String) -> ModelElement {
        switch kind {
        case .model: .model(ModelDocument())
        case .entity: .entity(EntityElement(name: name))
        case .attribute: .attribute(AttributeElement(name: name, type: .undefined))
        case .relationship: .relationship(RelationshipElement(name: name, destinationName: ""))
        case .fetchedProperty:
            .fetchedProperty(FetchedPropertyElement(name: name, isOptional: false, fetchRequest: nil))
        case .index: .index(FetchIndexElement(name: name, elements: []))
        case .configuration: .configuration(ConfigurationElement(name: name, entityNames: []))
        case .composite: .composite(CompositeElement(name: name, attributes: []))
        case .fetchRequest: .fetchRequest(FetchRequestElement(name: name, entityName: ""))
        }
    }

    /// Returns the members of several kinds.
    func members(in kinds: [ElementKind]) -> [ModelElement] { kinds.flatMap(members) }

    /// Appends a member of a kind that this one contains.
    fileprivate mutating func append(_ member: ModelElement) {
        switch (self, member) {
        case (.entity(var entity), .attribute(let member)):
            entity.attributes.append(member)
            self = .entity(entity)
        case (.entity(var entity), .relationship(let member)):
            entity.relationships.append(member)
            self = .entity(entity)
        case (.entity(var entity), .fetchedProperty(let member)):
            entity.fetchedProperties.append(member)
            self = .entity(entity)
        case (.entity(var entity), .index(let member)):
            entity.fetchIndexes.append(member)
            self = .entity(entity)
        case (.composite(var composite), .attribute(let member)):
            composite.attributes.append(member)
            self = .composite(composite)
        default: preconditionFailure("\(kind.title) has no \(member.kind.title)")
        }
    }
}
