import CoreDataJSON
import CoreDataModelFormat

extension RelationshipElement: EditorAttributed {
    /// The settings of a relationship besides its name.
    static let facets: [ElementFacet<RelationshipElement>] = [
        destination,
        inverse,
        toMany,
        .flag("ordered", "ordered", \.isOrdered, xml: "ordered"),
        .flag("optional", "optional", \.isOptional, xml: "optional"),
        .flag("transient", "transient", \.isTransient, xml: "transient"),
        .choice(
            "deleteRule", "on delete",
            ["nullify": DeleteRule.nullify, "cascade": .cascade, "deny": .deny, "no action": .noAction],
            xml: "deletionRule", shown: .always, read: { $0.deleteRule }, write: { $0.deleteRule = $1 }),
        .number("minimumCount", "minimum count", \.minimumCount, xml: "minCount"),
        .number("maximumCount", "maximum count", \.maximumCount, xml: "maxCount", "toMany"),
        .flag("spotlight", "Spotlight", \.isIndexedBySpotlight, xml: "spotlightIndexingEnabled"),
        .text("renamingIdentifier", "renamed from", \.renamingIdentifier, xml: "elementID"),
        .text("hashModifier", "hash modifier", \.versionHashModifier, xml: "versionHashModifier"),
        .userInfo(\.userInfo, isKeptEmpty: \.hasEmptyUserInfo),
        .editorFlag("syncable", "syncable", xml: "syncable"),
    ]

    private static let destination = ElementFacet<RelationshipElement>(
        name: "destination", title: "destination", type: .text
    ) {
        JSONValue(text: $0.destinationName.isEmpty ? nil : $0.destinationName)
    } write: { (relationship, value) throws(FacetMismatch) in
        relationship.destinationName = try value.text ?? ""
        relationship.editorAttributes["destinationEntity"] = nil
        relationship.setInverse(relationship.inverseName)
    }

    private static let inverse = ElementFacet<RelationshipElement>(
        name: "inverse", title: "inverse", type: .text
    ) {
        JSONValue(text: $0.inverseName)
    } write: { (relationship, value) throws(FacetMismatch) in
        relationship.setInverse(try value.text)
    }

    private static let toMany = ElementFacet<RelationshipElement>(
        name: "toMany", title: "to-many", type: .flag
    ) {
        .boolean($0.isToMany)
    } write: { (relationship, value) throws(FacetMismatch) in
        if try value.flag != relationship.isToMany {
            relationship.maximumCount = relationship.isToMany ? 1 : 0
        }
        for name in ["toMany", "maxCount"] { relationship.editorAttributes[name] = nil }
    }

    /// Sets the inverse, a relationship of the destination.
    mutating func setInverse(_ name: String?) {
        inverseName = name?.isEmpty == true ? nil : name
        inverseEntityName = inverseName == nil || destinationName.isEmpty ? nil : destinationName
        for name in ["inverseName", "inverseEntity"] { editorAttributes[name] = nil }
    }
}

extension FetchedPropertyElement: EditorAttributed {
    /// The settings of a fetched property besides its name: its own, and those of its request.
    static let facets: [ElementFacet<FetchedPropertyElement>] =
        [
            .flag("optional", "optional", \.isOptional, xml: "optional"),
            .text("renamingIdentifier", "renamed from", \.renamingIdentifier, xml: "elementID"),
            .userInfo(\.userInfo, isKeptEmpty: \.hasEmptyUserInfo),
            .editorFlag("syncable", "syncable", xml: "syncable"),
        ] + FetchRequestElement.facets.map(ofRequest)

    /// Makes a facet of the property of one of its request. A property without a request gets one that is
    /// named as the editor names it.
    private static func ofRequest(
        _ facet: ElementFacet<FetchRequestElement>
    ) -> ElementFacet<FetchedPropertyElement> {
        let new = FetchRequestElement(name: "fetchedPropertyFetchRequest", entityName: "")
        return ElementFacet(name: facet.name, title: facet.title, type: facet.type, shown: facet.shown) {
            facet.read($0.fetchRequest ?? new)
        } write: { (property, value) throws(FacetMismatch) in
            var request = property.fetchRequest ?? new
            try facet.write(&request, value)
            if property.fetchRequest != nil || request != new { property.fetchRequest = request }
        }
    }
}

extension FetchIndexElement: EditorAttributed {
    /// The settings of an index besides its name.
    static let facets: [ElementFacet<FetchIndexElement>] = [
        parts,
        .text("predicate", "where", \.partialPredicate, xml: "partialIndexPredicate"),
    ]

    private static let parts = ElementFacet<FetchIndexElement>(
        name: "elements", title: "of", type: .indexElements
    ) {
        .array($0.elements.map(\.json))
    } write: { (index, value) throws(FacetMismatch) in
        guard case .array(let values) = value else { throw FacetMismatch(FacetType.indexElements.expected) }
        var elements: [Element] = []
        for value in values { elements.append(try Element(value)) }
        index.elements = elements
    }
}
