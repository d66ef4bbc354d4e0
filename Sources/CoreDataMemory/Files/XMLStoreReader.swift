import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A reader that makes rows of a model from the objects of an XML store. The names in the file do not keep
/// the difference between capital and small letters (xml-store §1).
struct XMLStoreReader {
    private let model: CompiledModel
    private let layouts: RowLayouts
    private let types: XMLStoreTypes

    init(_ model: CompiledModel, _ layouts: RowLayouts) {
        self.model = model
        self.layouts = layouts
        types = XMLStoreTypes(model)
    }

    func tables(of objects: [XMLStoreObject]) throws(StoreError) -> MemoryTables {
        var references: [String: ObjectReference] = [:]
        for object in objects {
            guard let entity = types[object.type] else {
                throw StoreError(.incompatibleModel([object.type]), "the model has no entity \(object.type)")
            }
            guard object.id.hasPrefix("z"), let key = Int64(object.id.dropFirst()),
                MemoryTables.possibleKeys.contains(key)
            else {
                throw XMLStoreFormat.corrupt("an object has the ID \"\(object.id)\"")
            }
            let reference = ObjectReference(entity: entity.index, key: key)
            if references.updateValue(reference, forKey: object.id) != nil {
                throw XMLStoreFormat.corrupt("two objects have the ID \(object.id)")
            }
        }
        var names: [EntityIndex: XMLStoreNames] = [:]
        for entity in Set(references.values.map(\.entity)) {
            names[entity] = try XMLStoreNames(model[entity], among: types)
        }
        var tables = MemoryTables(model, lastKey: XMLStoreFormat.keyBase)
        for object in objects {
            guard let reference = references[object.id], let names = names[reference.entity] else { continue }
            tables.load(try row(of: object, reference, references, names))
        }
        for object in objects {
            guard let owner = references[object.id], let names = names[owner.entity] else { continue }
            for relationship in object.relationships {
                let slot = try property(relationship.name, names, model[owner.entity]).slot
                guard slot.isToMany else { continue }
                tables.setMembers(try members(relationship, slot, references), of: owner, slot)
            }
        }
        return tables
    }

    private func row(
        of object: XMLStoreObject, _ reference: ObjectReference, _ references: [String: ObjectReference],
        _ names: XMLStoreNames
    ) throws(StoreError) -> Snapshot {
        let entity = model[reference.entity]
        let row = Snapshot.make(layouts[entity.index], key: reference.key, version: 1)
        var composites: [Int: [(path: ArraySlice<String>, value: AttributeValue)]] = [:]
        for (name, text) in object.attributes {
            let property = try property(name, names, entity)
            guard let column = property.slot.column, property.slot.attribute != nil else { continue }
            guard let type = property.type else { throw Self.unknown(name, entity) }
            guard let value = XMLStoreText.value(text, of: type) else {
                throw XMLStoreFormat.corrupt(
                    "\(object.id) has \"\(text.prefix(40))\" for \(entity.name).\(name), which is no \(type)"
                )
            }
            if property.path.isEmpty {
                row.setValue(column, value)
            } else {
                composites[column, default: []].append((property.path[...], value))
            }
        }
        for (column, leaves) in composites { row.setValue(column, .composite(of: leaves)) }
        for relationship in object.relationships {
            let slot = try property(relationship.name, names, entity).slot
            guard let column = slot.column, slot.isToOne else { continue }
            if let destination = try members(relationship, slot, references).first {
                row.setToOne(column, destination)
            }
        }
        return row
    }

    private func property(
        _ name: String, _ names: XMLStoreNames, _ entity: CompiledEntity
    ) throws(StoreError) -> XMLStoreNames.Property {
        guard let property = names[name] else { throw Self.unknown(name, entity) }
        return property
    }

    private static func unknown(_ name: String, _ entity: CompiledEntity) -> StoreError {
        StoreError(.incompatibleModel([entity.name]), "\(entity.name) has no property \(name)")
    }

    private func members(
        _ relationship: XMLStoreObject.Relationship, _ slot: PropertySlot,
        _ references: [String: ObjectReference]
    ) throws(StoreError) -> [ObjectReference] {
        try relationship.references.map { id throws(StoreError) in
            guard let reference = references[id] else {
                throw XMLStoreFormat.corrupt("\(relationship.name) refers to \(id), which is not there")
            }
            guard MemoryTables.may(slot, leadTo: reference, model) else {
                throw XMLStoreFormat.corrupt(
                    "\(relationship.name) refers to \(id), which is a \(model[reference.entity].name)")
            }
            return reference
        }
    }
}
