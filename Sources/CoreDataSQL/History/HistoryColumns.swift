import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// How a change row speaks of the properties of an entity (sqlite-store §12): a bit for each that an update wrote,
/// a column for each whose value outlives the row. Both go by name.
struct HistoryColumns {
    private let entity: CompiledEntity

    init(_ entity: CompiledEntity) {
        self.entity = entity
    }

    private func byName(_ slots: [PropertySlot]) -> [PropertySlot] {
        slots.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    // MARK: Updated properties

    /// One bit each, most significant first.
    func mask(_ slots: Set<Int>) -> Data {
        let properties = byName(entity.slots)
        var bytes = Data(count: properties.count / 8 + 1)
        for (position, slot) in properties.enumerated() where slots.contains(slot.index) {
            bytes[position / 8] |= 0x80 >> UInt8(position % 8)
        }
        return bytes
    }

    /// The slots whose bits are set. A mask of an older model may have more or fewer bits than there are properties.
    func slots(in mask: Data) -> [Int] {
        let bytes = [UInt8](mask)
        return byName(entity.slots).enumerated().compactMap { position, slot in
            guard position / 8 < bytes.count, bytes[position / 8] & 0x80 >> UInt8(position % 8) != 0 else {
                return nil
            }
            return slot.index
        }
    }

    // MARK: Tombstones

    /// The attributes that outlive their row, in the order of the columns.
    var preserved: [PropertySlot] {
        byName(entity.slots.filter { $0.attribute?.preservesValueOnDeletion ?? false })
    }

    /// What the columns hold, by slot.
    func tombstone(_ columns: [SQLValue]) -> [Int: AttributeValue] {
        var result: [Int: AttributeValue] = [:]
        for (slot, column) in zip(preserved, columns) where column != .null {
            result[slot.index] = AttributeValue(column, as: slot.attribute?.type ?? .undefined)
        }
        return result
    }
}
