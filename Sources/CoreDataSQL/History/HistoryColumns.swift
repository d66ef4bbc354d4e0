import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation
import Synchronization

/// The form in which a change row names the properties of an entity: a bit for each that an update wrote
/// (history-columns §2), a column for each whose value is preserved when the row is deleted (sqlite-store
/// §12).
///
/// The bits stand for the columns of a row, as Apple's framework lists them, and its to-many relationships.
final class HistoryColumns: Sendable {
    /// The meaning of a bit; properties are slots.
    enum Column: Hashable, Sendable {
        case property(Int)
        /// The column with the entity number of a to-one relationship's object.
        case entityNumber(Int)
        /// The column with a row's position among the members of its owner, by the relationship to the owner.
        case position(Int)
    }

    private let entity: CompiledEntity
    /// The meanings by bit.
    private let columns: [Column]
    private let bits: [Column: Int]
    private let former: FormerHistoryColumns
    /// The attributes whose values are preserved, in the order of the columns.
    let preserved: [PropertySlot]
    private let form: HistoryForm

    init(_ entity: CompiledEntity, in schema: StoreSchema, _ form: HistoryForm = .serial) {
        self.entity = entity
        self.form = form
        // These are in the order of slots: inherited ones first, and by name on each level.
        let stored = entity.slots.filter { $0.column != nil || $0.isToMany && !$0.isTransient }
        let toOnes = stored.filter(\.isToOne)
        let twins = toOnes.filter { $0.relationship?.isPolymorphic ?? false }
        let positions = (schema[entity.index]?.orderColumns ?? []).map { entity.columns[$0] }
        let count = stored.count + toOnes.count + twins.count + positions.count + Self.systemColumnCount
        let toManys = HashOrder.sorted(stored.map(\.name), tableOf: count)
            .compactMap(entity.slot(named:)).filter(\.isToMany)
        func isManyToMany(_ slot: PropertySlot) -> Bool {
            slot.relationship.flatMap(schema.model.inverse)?.isToMany ?? false
        }
        func properties(_ slots: [PropertySlot]) -> [Column] { slots.map { .property($0.index) } }
        columns =
            properties(toOnes) + twins.map { .entityNumber($0.index) } + positions.map { .position($0.index) }
            + properties(stored.filter { $0.attribute != nil })
            + properties(toManys.filter { !isManyToMany($0) }) + properties(toManys.filter(isManyToMany))
        bits = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        former = FormerHistoryColumns(entity)
        preserved = entity.slots.filter { $0.attribute?.preservesValueOnDeletion ?? false }
            .sorted(byCodePointsOf: \.name)
    }

    /// The number of Z_PK, Z_ENT and Z_OPT.
    private static let systemColumnCount = 3

    // MARK: Masks

    /// Returns the mask of an update of a row.
    ///
    /// - Parameters:
    ///   - links: The changed relationships, as in `RowUpdate.changedLinks`.
    ///   - moved: The columns of the relationships in which the row was moved, as in `SavePlan.moved`.
    func mask(_ changed: ColumnMask, links: [Int], moved: ColumnMask) -> Data {
        var set: [Column] = []
        for slot in slots(of: changed) { set += [.property(slot), .position(slot)] }
        set += slots(of: moved).map(Column.position)
        set += links.map { entity.slots[$0].isToMany ? .property($0) : .entityNumber($0) }
        return mask(set)
    }

    /// Returns the mask of an update by a batch, which writes all columns of a property in all rows alike.
    func mask(ofBatch changed: ColumnMask) -> Data {
        mask(slots(of: changed).flatMap { [.property($0), .entityNumber($0), .position($0)] })
    }

    /// The character between names, which none of them has.
    private static let separator = "\0"

    /// Returns the name of a column in a mask of the concurrent form: a letter for its kind, and the property.
    private func name(_ column: Column) -> String {
        switch column {
        case .property(let slot): "P" + entity.slots[slot].name
        case .entityNumber(let slot): "E" + entity.slots[slot].name
        case .position(let slot): "O" + entity.slots[slot].name
        }
    }

    private func column(_ name: String) -> Column? {
        guard let slot = entity.slot(named: String(name.dropFirst()))?.index else { return nil }
        return switch name.first {
        case "P": .property(slot)
        case "E": .entityNumber(slot)
        case "O": .position(slot)
        default: nil
        }
    }

    private func slots(of columns: ColumnMask) -> [Int] { columns.columns.map { entity.columns[$0].index } }

    /// Returns a mask with a bit for each column, most significant first. Columns that have no bit are
    /// ignored.
    ///
    /// In the concurrent form it has the names of the properties: a program with an older model may go on
    /// beside others, in which the same properties would have other bits.
    func mask(_ set: some Sequence<Column>) -> Data {
        if form == .concurrent {
            let names = Set(set.filter { bits[$0] != nil }.map(name))
            return Data(names.sorted().joined(separator: Self.separator).utf8)
        }
        var bytes = [UInt8](repeating: 0, count: (columns.count + 7) / 8)
        for column in set {
            if let bit = bits[column] { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
        }
        return Data(bytes)
    }

    /// Returns the meanings of the bits of a mask.
    ///
    /// A mask of an older model may have more or fewer bits than there are columns.
    ///
    /// - Parameter isAnonymous: Whether its transaction lacks a bundle identifier, as those of this
    ///   framework's former releases do.
    func columns(in mask: Data, isAnonymous: Bool) -> [Column] {
        if form == .concurrent {
            let names = String(decoding: mask, as: UTF8.self).components(separatedBy: Self.separator)
            return names.compactMap(column)
        }
        if isAnonymous, let slots = former.slots(in: mask) { return slots.map(Column.property) }
        return mask.setBits.compactMap { columns.indices.contains($0) ? columns[$0] : nil }
    }

    /// Returns the properties that a mask names, as slots.
    func slots(in mask: Data, isAnonymous: Bool) -> [Int] {
        columns(in: mask, isAnonymous: isAnonymous).compactMap {
            if case .property(let slot) = $0 { slot } else { nil }
        }
    }

    // MARK: Tombstones

    /// Returns the values of the columns, by slot.
    func tombstone(_ columns: [SQLValue]) -> [Int: AttributeValue] {
        var result: [Int: AttributeValue] = [:]
        for (slot, column) in zip(preserved, columns) where column != .null {
            let type = slot.attribute?.type ?? .undefined
            result[slot.index] =
                switch form {
                case .serial: AttributeValue(column, as: type)
                case .concurrent: PreservedValue.value(column, as: type)
                }
        }
        return result
    }
}

/// The bits in masks of this framework's former releases (history-columns §4): one for each property, by
/// name, and at least one more.
private struct FormerHistoryColumns {
    private let properties: [PropertySlot]

    init(_ entity: CompiledEntity) {
        properties = entity.slots.sorted(byCodePointsOf: \.name)
    }

    /// Returns the slots whose bits are set; nil for a mask that none of those releases has written.
    func slots(in mask: Data) -> [Int]? {
        guard mask.count == properties.count / 8 + 1 else { return nil }
        var result: [Int] = []
        for bit in mask.setBits {
            guard bit < properties.count, properties[bit].column != nil || properties[bit].isToMany else {
                return nil
            }
            result.append(properties[bit].index)
        }
        return result
    }
}

extension Data {
    /// The numbers of the set bits, ascending, where the most significant bit of the first byte is 0.
    fileprivate var setBits: [Int] {
        enumerated().flatMap { index, byte in
            (0..<8).filter { byte & 0x80 >> UInt8($0) != 0 }.map { index * 8 + $0 }
        }
    }
}

/// The columns of all entities of a store, computed once each.
final class HistoryColumnTable: Sendable {
    private let schema: StoreSchema
    private let form: HistoryForm
    private let known: Mutex<[EntityIndex: HistoryColumns]> = Mutex([:])

    init(_ schema: StoreSchema, _ form: HistoryForm = .serial) {
        self.schema = schema
        self.form = form
    }

    subscript(_ entity: EntityIndex) -> HistoryColumns {
        known.withLock { known in
            if let columns = known[entity] { return columns }
            let columns = HistoryColumns(schema.model[entity], in: schema, form)
            known[entity] = columns
            return columns
        }
    }
}
