import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The writer of an XML store. It reproduces the layout of Apple's files, including the blanks (xml-store
/// §1).
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
        let types = XMLStoreTypes(contents.tables.model)
        var known: [EntityIndex: XMLStoreNames] = [:]
        for row in contents.tables.allRows {
            let names =
                if let names = known[row.entity] { names } else {
                    try XMLStoreNames(row.layout.entity, among: types)
                }
            known[row.entity] = names
            try add(row, names, types, contents.tables, to: &text)
        }
        text += "</database>"
        return Data(text.utf8)
    }

    static func element(of metadata: StoredMetadata) throws(StoreError) -> String {
        let values = try? ForeignPropertyList.object(metadata.plist)
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

    private func add(
        _ row: Snapshot, _ names: XMLStoreNames, _ types: XMLStoreTypes, _ tables: MemoryTables,
        to text: inout String
    ) throws(StoreError) {
        text += "    <object type=\"\(names.type)\" id=\"z\(row.key)\">\n"
        for slot in row.layout.entity.slots {
            if slot.attribute != nil, let column = slot.column {
                let value = row.value(column)
                for part in names.values[slot.index] {
                    try add(value.element(at: part.path), named: part, to: &text)
                }
            } else if let relationship = slot.relationship, !slot.isTransient {
                let members =
                    if let column = slot.column {
                        [row.toOne(column)].compactMap { $0 }
                    } else {
                        tables.related(slot.index, of: row.reference)
                    }
                let name = names.properties[slot.index]
                let type = try types.type(of: tables.model[relationship.destination])
                text += "        \(element(name, relationship, to: type, members))\n"
            }
        }
        text += "    </object>\n"
    }

    private func add(
        _ value: AttributeValue, named part: XMLStoreNames.Value, to text: inout String
    ) throws(StoreError) {
        guard let content = XMLStoreText.text(value, of: part.type) else { return }
        let isData = [.binary, .transformable].contains(part.type)
        text += """
                    <attribute name="\(part.name)" type="\(XMLStoreText.name(of: part.type))">\
            \(try XMLText.escaped(content, of: part.property))\(isData ? "\n" : "")</attribute>

            """
    }

    private func element(
        _ name: String, _ relationship: RelationshipSlot, to type: String, _ members: [ObjectReference]
    ) -> String {
        let count = "\(relationship.minimumCount)/\(relationship.maximumCount)"
        let references = members.map { "z\($0.key)" }.joined(separator: " ")
        return """
            <relationship name="\(name)" type="\(count)" \
            destination="\(type)"\
            \(references.isEmpty ? "" : " idrefs=\"\(references)\"")></relationship>
            """
    }
}
