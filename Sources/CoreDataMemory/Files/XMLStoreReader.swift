import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// Objects of an XML store as rows of a model. Names have lost their case in the file (xml-store §1).
struct XMLStoreReader {
    private let model: CompiledModel
    private let layouts: RowLayouts
    private let entities: [String: CompiledEntity]

    init(_ model: CompiledModel, _ layouts: RowLayouts) {
        self.model = model
        self.layouts = layouts
        entities = Dictionary(model.entities.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    }

    func tables(of objects: [XMLStoreObject]) throws(StoreError) -> MemoryTables {
        var references: [String: ObjectReference] = [:]
        for object in objects {
            guard let entity = entities[object.type.uppercased()] else {
                throw StoreError(.incompatibleModel([object.type]), "the model has no entity \(object.type)")
            }
            guard object.id.hasPrefix("z"), let key = Int64(object.id.dropFirst()), key > 0 else {
                throw XMLStoreFormat.corrupt("an object has the ID \"\(object.id)\"")
            }
            let reference = ObjectReference(entity: entity.index, key: key)
            if references.updateValue(reference, forKey: object.id) != nil {
                throw XMLStoreFormat.corrupt("two objects have the ID \(object.id)")
            }
        }
        var tables = MemoryTables(model, lastKey: XMLStoreFormat.keyBase)
        for object in objects {
            guard let reference = references[object.id] else { continue }
            tables.place(try row(of: object, reference, references))
        }
        for object in objects {
            guard let owner = references[object.id] else { continue }
            for relationship in object.relationships {
                let slot = try slot(relationship.name, of: model[owner.entity])
                guard slot.isToMany else { continue }
                tables.setMembers(try members(relationship, references), of: owner, slot)
            }
        }
        return tables
    }

    private func row(
        of object: XMLStoreObject, _ reference: ObjectReference, _ references: [String: ObjectReference]
    ) throws(StoreError) -> Snapshot {
        let entity = model[reference.entity]
        let row = Snapshot.make(layouts[entity.index], key: reference.key, version: 1)
        var composites: [Int: [(path: ArraySlice<String>, value: AttributeValue)]] = [:]
        for (name, text) in object.attributes {
            let names =
                name.utf8.contains(UInt8(ascii: ".")) ? name.split(separator: ".").map(String.init) : [name]
            let slot = try slot(names.first ?? name, of: entity)
            guard let column = slot.column, let attribute = slot.attribute else { continue }
            let (path, leaf) = try self.leaf(names.dropFirst(), of: attribute, name, entity)
            guard let value = XMLStoreText.value(text, of: leaf.type) else {
                throw XMLStoreFormat.corrupt(
                    "\(object.id) has \"\(text.prefix(40))\" for \(entity.name).\(name), which is no \(leaf.type)"
                )
            }
            if path.isEmpty {
                row.setValue(column, value)
            } else {
                composites[column, default: []].append((path[...], value))
            }
        }
        for (column, leaves) in composites { row.setValue(column, .composite(of: leaves)) }
        for relationship in object.relationships {
            let slot = try slot(relationship.name, of: entity)
            guard let column = slot.column, slot.isToOne else { continue }
            if let destination = try members(relationship, references).first {
                row.setToOne(column, destination)
            }
        }
        return row
    }

    /// The attribute itself, or where names lead within a composite.
    private func leaf(
        _ names: ArraySlice<String>, of attribute: AttributeSlot, _ name: String, _ entity: CompiledEntity
    ) throws(StoreError) -> (path: [String], attribute: AttributeSlot) {
        if attribute.type != .composite, names.isEmpty { return ([], attribute) }
        let wanted = names.map { $0.lowercased() }
        guard let leaf = attribute.leaves.first(where: { $0.path.map { $0.lowercased() } == wanted }) else {
            throw StoreError(.incompatibleModel([entity.name]), "\(entity.name) has no property \(name)")
        }
        return leaf
    }

    private func slot(_ name: String, of entity: CompiledEntity) throws(StoreError) -> PropertySlot {
        if let exact = entity.slot(named: name) { return exact }
        let lowercased = name.lowercased()
        if let slot = entity.slots.first(where: { $0.name.lowercased() == lowercased }) { return slot }
        throw StoreError(.incompatibleModel([entity.name]), "\(entity.name) has no property \(name)")
    }

    private func members(
        _ relationship: XMLStoreObject.Relationship, _ references: [String: ObjectReference]
    ) throws(StoreError) -> [ObjectReference] {
        try relationship.references.map { id throws(StoreError) in
            guard let reference = references[id] else {
                throw XMLStoreFormat.corrupt("\(relationship.name) refers to \(id), which is not there")
            }
            return reference
        }
    }
}
