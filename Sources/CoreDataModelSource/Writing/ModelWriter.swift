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
        var attributes = document.editorAttributes
        attributes["userDefinedModelVersionIdentifier"] = document.versionIdentifiers.first
        for (key, value) in Self.requiredAttributes where attributes[key] == nil { attributes[key] = value }
        let order = AttributeOrder.model(toolsVersion: attributes["lastSavedToolsVersion"])
        writer.element("model", attributes, order: order, extras: document.extras) { writer in
            for entity in document.entities { write(entity, to: &writer) }
            for request in document.fetchRequests { write(request, to: &writer) }
            for configuration in document.configurations { write(configuration, to: &writer) }
            for composite in document.composites { write(composite, to: &writer) }
            if !document.layout.isEmpty { writeLayout(to: &writer) }
        }
        return Data(writer.finished().utf8)
    }

    /// The attributes without which the editor does not accept the file as a model.
    private static let requiredAttributes = [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
    ]

    // MARK: Model

    private func write(_ configuration: ConfigurationElement, to writer: inout XMLElementWriter) {
        let attributes = configuration.editorAttributes.with("name", configuration.name)
        writer.element(
            "configuration", attributes, order: ["name"], extras: configuration.extras
        ) { writer in
            for name in configuration.entityNames {
                writer.element("memberEntity", ["name": name], order: ["name"])
            }
        }
    }

    private func write(_ composite: CompositeElement, to writer: inout XMLElementWriter) {
        writer.element("composite", ["name": composite.name], order: ["name"], extras: composite.extras) {
            writer in
            for attribute in composite.attributes { write(attribute, to: &writer) }
        }
    }

    private func writeLayout(to writer: inout XMLElementWriter) {
        writer.element("elements") { writer in
            for element in document.layout {
                writer.element("element", element.attributes, order: AttributeOrder.diagram)
            }
        }
    }

    // MARK: Entities

    private func write(_ entity: EntityElement, to writer: inout XMLElementWriter) {
        writer.element(
            "entity", entity.sourceAttributes, order: AttributeOrder.entity, extras: entity.extras
        ) { writer in
            for attribute in entity.attributes { write(attribute, to: &writer) }
            for relationship in entity.relationships {
                writer.element(
                    "relationship", relationship.sourceAttributes, order: AttributeOrder.relationship,
                    extras: relationship.extras
                ) {
                    write(relationship.userInfo, relationship.hasEmptyUserInfo, to: &$0)
                }
            }
            for property in entity.fetchedProperties { write(property, to: &writer) }
            for index in entity.fetchIndexes { write(index, to: &writer) }
            write(entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index", to: &writer)
            write(
                entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint",
                to: &writer)
            write(entity.userInfo, entity.hasEmptyUserInfo, to: &writer)
        }
    }

    private func write(_ attribute: AttributeElement, to writer: inout XMLElementWriter) {
        writer.element(
            "attribute", attribute.sourceAttributes, order: AttributeOrder.attribute, extras: attribute.extras
        ) {
            write(attribute.userInfo, attribute.hasEmptyUserInfo, to: &$0)
        }
    }

    private func write(_ property: FetchedPropertyElement, to writer: inout XMLElementWriter) {
        writer.element(
            "fetchedProperty", property.sourceAttributes, order: AttributeOrder.fetchedProperty,
            extras: property.extras
        ) {
            if let request = property.fetchRequest { write(request, to: &$0) }
            write(property.userInfo, property.hasEmptyUserInfo, to: &$0)
        }
    }

    private func write(_ request: FetchRequestElement, to writer: inout XMLElementWriter) {
        writer.element(
            "fetchRequest", request.sourceAttributes, order: AttributeOrder.fetchRequest,
            extras: request.extras)
    }

    private func write(_ index: FetchIndexElement, to writer: inout XMLElementWriter) {
        let attributes = index.editorAttributes.with("name", index.name)
            .with("partialIndexPredicate", index.partialPredicate)
        writer.element("fetchIndex", attributes, order: ["name"], extras: index.extras) { writer in
            for element in index.elements {
                let attributes = element.sourceAttributes
                writer.element(
                    "fetchIndexElement", attributes, order: AttributeOrder.fetchIndexElement)
            }
        }
    }

    private func write(
        _ lists: [[String]], _ outer: String, _ group: String, _ item: String,
        to writer: inout XMLElementWriter
    ) {
        guard !lists.isEmpty else { return }
        writer.element(outer) { writer in
            for list in lists {
                writer.element(group) { writer in
                    for name in list { writer.element(item, ["value": name], order: ["value"]) }
                }
            }
        }
    }

    private func write(
        _ userInfo: [UserInfoEntry], _ isKeptEmpty: Bool, to writer: inout XMLElementWriter
    ) {
        guard !userInfo.isEmpty || isKeptEmpty else { return }
        writer.element("userInfo") { writer in
            for entry in userInfo {
                writer.element("entry", ["key": entry.key, "value": entry.value], order: ["key", "value"])
            }
        }
    }
}
