package import CoreDataModelFormat
package import Foundation

/// A writer of `contents` files.
///
/// Equal documents give equal bytes, and reading them gives the document again. Attributes are in the
/// editor's order and extras in their places, so that files that the editor wrote are reproduced, also with
/// comments and unknown elements.
package struct ModelWriter {
    private let document: ModelDocument

    package init(_ document: ModelDocument) {
        self.document = document
    }

    package func contents() -> Data {
        var writer = XMLElementWriter(document.form)
        writer.write(element)
        return Data(writer.finished().utf8)
    }

    /// The element of the model, with all others in it.
    package var element: SourceElement {
        var attributes = document.editorAttributes
        attributes["userDefinedModelVersionIdentifier"] = document.versionIdentifiers.first
        for (key, value) in Self.requiredAttributes where attributes[key] == nil { attributes[key] = value }
        var children = document.entities.map(Self.element)
        children += document.fetchRequests.map(Self.element)
        children += document.configurations.map(Self.element)
        children += document.composites.map { composite in
            SourceElement(
                "composite", ["name": composite.name], extras: composite.extras,
                children: composite.attributes.map(Self.element))
        }
        let layout = document.layout.map { SourceElement("element", $0.attributes) }
        if !layout.isEmpty { children.append(SourceElement("elements", children: layout)) }
        return SourceElement("model", attributes, extras: document.extras, children: children)
    }

    /// The attributes without which the editor does not accept the file as a model.
    private static let requiredAttributes = [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
    ]

    private static func element(_ configuration: ConfigurationElement) -> SourceElement {
        SourceElement(
            "configuration", configuration.editorAttributes.with("name", configuration.name),
            extras: configuration.extras,
            children: configuration.entityNames.map { SourceElement("memberEntity", ["name": $0]) })
    }

    // MARK: Entities

    private static func element(_ entity: EntityElement) -> SourceElement {
        var children = entity.attributes.map(element)
        children += entity.relationships.map { relationship in
            SourceElement(
                "relationship", relationship.sourceAttributes, extras: relationship.extras,
                children: userInfo(relationship.userInfo, relationship.hasEmptyUserInfo))
        }
        children += entity.fetchedProperties.map(element)
        children += entity.fetchIndexes.map(element)
        children += lists(entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index")
        children += lists(
            entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        children += userInfo(entity.userInfo, entity.hasEmptyUserInfo)
        return SourceElement("entity", entity.sourceAttributes, extras: entity.extras, children: children)
    }

    private static func element(_ attribute: AttributeElement) -> SourceElement {
        SourceElement(
            "attribute", attribute.sourceAttributes, extras: attribute.extras,
            children: userInfo(attribute.userInfo, attribute.hasEmptyUserInfo))
    }

    private static func element(_ property: FetchedPropertyElement) -> SourceElement {
        SourceElement(
            "fetchedProperty", property.sourceAttributes, extras: property.extras,
            children: [property.fetchRequest].compactMap { $0.map(element) }
                + userInfo(property.userInfo, property.hasEmptyUserInfo))
    }

    private static func element(_ request: FetchRequestElement) -> SourceElement {
        SourceElement("fetchRequest", request.sourceAttributes, extras: request.extras)
    }

    private static func element(_ index: FetchIndexElement) -> SourceElement {
        SourceElement(
            "fetchIndex",
            index.editorAttributes.with("name", index.name)
                .with("partialIndexPredicate", index.partialPredicate),
            extras: index.extras,
            children: index.elements.map { SourceElement("fetchIndexElement", $0.sourceAttributes) })
    }

    private static func lists(
        _ lists: [[String]], _ outer: String, _ group: String, _ item: String
    ) -> [SourceElement] {
        guard !lists.isEmpty else { return [] }
        let groups = lists.map { list in
            SourceElement(group, children: list.map { SourceElement(item, ["value": $0]) })
        }
        return [SourceElement(outer, children: groups)]
    }

    private static func userInfo(_ entries: [UserInfoEntry], _ isKeptEmpty: Bool) -> [SourceElement] {
        guard !entries.isEmpty || isKeptEmpty else { return [] }
        let entries = entries.map { SourceElement("entry", ["key": $0.key, "value": $0.value]) }
        return [SourceElement("userInfo", children: entries)]
    }
}
