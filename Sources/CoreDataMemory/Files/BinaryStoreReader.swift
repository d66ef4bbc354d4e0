import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A reader that makes rows of a model from the bytes of a binary store.
struct BinaryStoreReader {
    private let model: CompiledModel
    private let layouts: RowLayouts

    init(_ model: CompiledModel, _ layouts: RowLayouts) {
        self.model = model
        self.layouts = layouts
    }

    /// An entity as the file describes it.
    private struct Description {
        let entity: CompiledEntity
        let columns: [(slot: PropertySlot, column: Int, storage: RowLayout.Storage)]
        let toMany: [PropertySlot]
    }

    func tables(_ reader: inout ByteReader) throws(StoreError) -> MemoryTables {
        var tables = MemoryTables(model, lastKey: try reader.signed())
        var descriptions: [Description] = []
        for _ in 0..<(try reader.count()) { descriptions.append(try description(&reader)) }
        var owners: [(Description, ObjectReference)] = []
        for description in descriptions {
            for _ in 0..<(try reader.count()) {
                let row = try row(description, descriptions, &reader)
                if tables.row(row.reference) != nil {
                    throw reader.corrupt("two rows have the key \(row.key)")
                }
                tables.load(row)
                owners.append((description, row.reference))
            }
        }
        for (description, owner) in owners {
            for slot in description.toMany {
                var members: [ObjectReference] = []
                for _ in 0..<(try reader.count()) {
                    if let member = try reference(slot, descriptions, &reader) { members.append(member) }
                }
                tables.setMembers(members, of: owner, slot)
            }
        }
        return tables
    }

    private func description(_ reader: inout ByteReader) throws(StoreError) -> Description {
        let name = try reader.text()
        guard let entity = model.entity(named: name) else {
            throw StoreError(.incompatibleModel([name]), "the model has no entity \(name)")
        }
        var columns: [(slot: PropertySlot, column: Int, storage: RowLayout.Storage)] = []
        for _ in 0..<(try reader.count()) {
            let slot = try slot(named: try reader.text(), of: entity)
            guard let storage = RowLayout.Storage(rawValue: UInt8(truncatingIfNeeded: try reader.number())),
                let column = slot.column, layouts[entity.index].columns[column].storage == storage
            else { throw misfit(entity, slot.name) }
            columns.append((slot, column, storage))
        }
        var toMany: [PropertySlot] = []
        for _ in 0..<(try reader.count()) {
            let slot = try slot(named: try reader.text(), of: entity)
            guard slot.isToMany else { throw misfit(entity, slot.name) }
            toMany.append(slot)
        }
        return Description(entity: entity, columns: columns, toMany: toMany)
    }

    private func slot(named name: String, of entity: CompiledEntity) throws(StoreError) -> PropertySlot {
        if let slot = entity.slot(named: name) { return slot }
        throw misfit(entity, name)
    }

    private func misfit(_ entity: CompiledEntity, _ property: String) -> StoreError {
        StoreError(
            .incompatibleModel([entity.name]),
            "\(entity.name).\(property) is not what it is in the model")
    }

    private func row(
        _ description: Description, _ descriptions: [Description], _ reader: inout ByteReader
    ) throws(StoreError) -> Snapshot {
        let (key, version) = (try reader.signed(), try reader.signed())
        guard MemoryTables.possibleKeys.contains(key) else {
            throw reader.corrupt("a row has the key \(key)")
        }
        let row = Snapshot.make(layouts[description.entity.index], key: key, version: version)
        for (slot, column, storage) in description.columns where try reader.byte() != 0 {
            switch storage {
            case .integer: row.setInteger(column, try reader.signed())
            case .double: row.setDouble(column, Double(bitPattern: try reader.fixed()))
            case .text: row.setString(column, try reader.text())
            case .bytes: row.setData(column, try reader.data())
            case .uuid: row.setUUID(column, try reader.uuid())
            case .decimal: row.setDecimal(column, try reader.decimal())
            case .reference:
                if let destination = try reference(slot, descriptions, &reader) {
                    row.setToOne(column, destination)
                }
            }
        }
        return row
    }

    /// Reads a reference. Nil if it refers to an entity of which the file has no rows: the row no longer
    /// existed when the file was written.
    private func reference(
        _ slot: PropertySlot, _ descriptions: [Description], _ reader: inout ByteReader
    ) throws(StoreError) -> ObjectReference? {
        let (number, key) = (try reader.number(), try reader.signed())
        guard number < UInt64(descriptions.count), key > 0 else { return nil }
        let entity = descriptions[Int(number)].entity
        let reference = ObjectReference(entity: entity.index, key: key)
        guard MemoryTables.may(slot, leadTo: reference, model) else {
            throw reader.corrupt("\(slot.name) refers to row \(key) of \(entity.name)")
        }
        return reference
    }
}
