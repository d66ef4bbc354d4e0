import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// How a change row speaks of the properties of an entity (sqlite-store §12): a bit for each that an update wrote,
/// a column for each whose value outlives the row. Both go by name.
struct HistoryColumns {
    private let properties: [PropertySlot]
    /// The attributes that outlive their row, in the order of the columns.
    let preserved: [PropertySlot]

    init(_ entity: CompiledEntity) {
        properties = entity.slots.sorted { $0.name.precedesByCodePoint($1.name) }
        preserved = properties.filter { $0.attribute?.preservesValueOnDeletion ?? false }
    }

    // MARK: Updated properties

    /// One bit each, most significant first.
    func mask(_ slots: Set<Int>) -> Data {
        var bytes = Data(count: properties.count / 8 + 1)
        for (position, slot) in properties.enumerated() where slots.contains(slot.index) {
            bytes[position / 8] |= 0x80 >> UInt8(position % 8)
        }
        return bytes
    }

    /// The slots whose bits are set. A mask of an older model may have more or fewer bits than there are properties.
    func slots(in mask: Data) -> [Int] {
        let bytes = [UInt8](mask)
        return properties.enumerated().compactMap { position, slot in
            guard position / 8 < bytes.count, bytes[position / 8] & 0x80 >> UInt8(position % 8) != 0 else {
                return nil
            }
            return slot.index
        }
    }

    // MARK: Tombstones

    /// What the columns hold, by slot.
    func tombstone(_ columns: [SQLValue]) -> [Int: AttributeValue] {
        var result: [Int: AttributeValue] = [:]
        for (slot, column) in zip(preserved, columns) where column != .null {
            result[slot.index] = AttributeValue(column, as: slot.attribute?.type ?? .undefined)
        }
        return result
    }
}

/// The same for the entities that were asked for: made once each.
struct HistoryColumnTable {
    private var known: [EntityIndex: HistoryColumns] = [:]

    mutating func columns(of entity: CompiledEntity) -> HistoryColumns {
        if let columns = known[entity.index] { return columns }
        let columns = HistoryColumns(entity)
        known[entity.index] = columns
        return columns
    }
}
