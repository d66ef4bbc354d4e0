import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// A writer that makes the bytes of a binary store from the rows of a store.
struct BinaryStoreWriter {
    private let tables: MemoryTables
    private let rows: [(entity: CompiledEntity, rows: [Snapshot])]
    /// The numbers of the entities in the file.
    private let numbers: [EntityIndex: Int]

    init(_ tables: MemoryTables) {
        self.tables = tables
        rows = tables.model.entities.compactMap { entity in
            let rows = tables.rows(of: entity.index, includingSubentities: false)
            return rows.isEmpty ? nil : (entity, rows)
        }
        numbers = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.entity.index, $0) })
    }

    func write(to writer: inout ByteWriter) {
        writer.signed(tables.lastKey)
        writer.count(rows.count)
        for (entity, rows) in rows { describe(entity, rows[0].layout, &writer) }
        for (_, rows) in rows {
            writer.count(rows.count)
            for row in rows { write(row, &writer) }
        }
        for (entity, rows) in rows {
            for row in rows {
                for slot in Self.membered(entity) {
                    write(tables.related(slot.index, of: row.reference), &writer)
                }
            }
        }
    }

    /// Returns the relationships whose members are written: all to-many relationships, which keeps the order
    /// of the ordered ones.
    static func membered(_ entity: CompiledEntity) -> [PropertySlot] {
        entity.slots.filter { $0.isToMany && !$0.isTransient }
    }

    private func describe(_ entity: CompiledEntity, _ layout: RowLayout, _ writer: inout ByteWriter) {
        writer.text(entity.name)
        writer.count(layout.columns.count)
        for column in layout.columns {
            writer.text(entity.slots[column.slot].name)
            writer.count(Int(column.storage.rawValue))
        }
        let slots = Self.membered(entity)
        writer.count(slots.count)
        for slot in slots { writer.text(slot.name) }
    }

    private func write(_ row: Snapshot, _ writer: inout ByteWriter) {
        writer.signed(row.key)
        writer.signed(row.version)
        for (index, column) in row.layout.columns.enumerated() {
            guard !row.isNull(index) else {
                writer.bytes.append(0)
                continue
            }
            writer.bytes.append(1)
            switch column.storage {
            case .integer: writer.signed(row.integer(index))
            case .double: writer.fixed(row.double(index).bitPattern)
            case .text: writer.text(row.string(index))
            case .bytes: writer.data(row.data(index))
            case .uuid: writer.uuid(row.uuid(index))
            case .decimal: writer.decimal(row.decimal(index))
            case .reference: row.toOne(index).map { write($0, &writer) }
            }
        }
    }

    private func write(_ members: [ObjectReference], _ writer: inout ByteWriter) {
        writer.count(members.count)
        for member in members { write(member, &writer) }
    }

    /// Writes a reference, with the entity by its number in the file.
    private func write(_ reference: ObjectReference, _ writer: inout ByteWriter) {
        writer.count(numbers[reference.entity] ?? rows.count)
        writer.signed(reference.key)
    }
}
