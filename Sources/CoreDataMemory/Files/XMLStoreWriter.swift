import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// Rows as an XML store: the layout of Apple's files, down to the blanks (xml-store §1).
struct XMLStoreWriter {
    func file(_ contents: StoreContents) throws(StoreError) -> Data {
        var text = """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>\(XMLStoreFormat.version)</version>
                    <UUID>\(contents.metadata.uuid)</UUID>
                    <nextObjectID>\(contents.tables.lastKey)</nextObjectID>
                    \(try Self.element(of: contents.metadata))
                </databaseInfo>

            """
        for row in contents.tables.allRows { try add(row, contents.tables, to: &text) }
        text += "</database>"
        return Data(text.utf8)
    }

    static func element(of metadata: StoredMetadata) throws(StoreError) -> String {
        let values = try? PropertyListSerialization.propertyList(from: metadata.plist, format: nil)
        var writer = XMLPropertyListWriter(indent: 16)
        try writer.add(values ?? [String: Any]())
        return """
            <metadata>
                        <plist version="1.0">
            \(writer.text)            </plist>
                    </metadata>
            """
    }

    // MARK: Objects

    private func add(_ row: Snapshot, _ tables: MemoryTables, to text: inout String) throws(StoreError) {
        let entity = row.layout.entity
        text +=
            "    <object type=\"\(try XMLText.escaped(entity.name.uppercased(), of: entity.name))\" id=\"z\(row.key)\">\n"
        for slot in entity.slots {
            if let attribute = slot.attribute, let column = slot.column {
                try add(row.value(column), of: attribute, named: slot.name, of: entity, to: &text)
            } else if let relationship = slot.relationship, !slot.isTransient {
                let members =
                    if let column = slot.column {
                        [row.toOne(column)].compactMap { $0 }
                    } else {
                        tables.related(slot.index, of: row.reference)
                    }
                text += "        " + element(slot, relationship, members, tables.model) + "\n"
            }
        }
        text += "    </object>\n"
    }

    /// A composite as one element for each of its own, under the names that lead to it.
    private func add(
        _ value: AttributeValue, of attribute: AttributeSlot, named name: String, of entity: CompiledEntity,
        to text: inout String
    ) throws(StoreError) {
        for element in attribute.elements {
            try add(
                value.element(at: [element.name]), of: element.attribute, named: "\(name).\(element.name)",
                of: entity, to: &text)
        }
        guard let content = XMLStoreText.text(value, of: attribute.type) else { return }
        let isData = [.binary, .transformable].contains(attribute.type)
        text += """
                    <attribute name="\(name.lowercased())" type="\(XMLStoreText.name(of: attribute.type))">\
            \(try XMLText.escaped(content, of: "\(entity.name).\(name)"))\(isData ? "\n" : "")</attribute>

            """
    }

    private func element(
        _ slot: PropertySlot, _ relationship: RelationshipSlot, _ members: [ObjectReference],
        _ model: CompiledModel
    ) -> String {
        let count = "\(relationship.minimumCount)/\(relationship.maximumCount)"
        let references = members.map { "z\($0.key)" }.joined(separator: " ")
        return """
            <relationship name="\(slot.name.lowercased())" type="\(count)" \
            destination="\(model[relationship.destination].name.uppercased())"\
            \(references.isEmpty ? "" : " idrefs=\"\(references)\"")></relationship>
            """
    }
}
